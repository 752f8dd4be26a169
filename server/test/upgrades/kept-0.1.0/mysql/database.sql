/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;
DROP TABLE IF EXISTS `aliases`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `aliases` (
  `alias` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `uploadId` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `heldUntil` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`alias`),
  KEY `aliases_upload_id` (`uploadId`),
  KEY `aliases_held_until` (`heldUntil`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `aliases` DISABLE KEYS */;
INSERT INTO `aliases` (`alias`, `uploadId`, `heldUntil`) VALUES ('holiday-2026','zgnrpVmrUld0bcEB',NULL);
/*!40000 ALTER TABLE `aliases` ENABLE KEYS */;
DROP TABLE IF EXISTS `attempts`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `attempts` (
  `key` varchar(43) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `count` int(11) NOT NULL,
  `until` bigint(20) NOT NULL,
  PRIMARY KEY (`key`),
  KEY `attempts_until` (`until`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `attempts` DISABLE KEYS */;
INSERT INTO `attempts` (`key`, `count`, `until`) VALUES ('NckhLORNh321YjsqWWdCA-9ssl3lqtj70J9xg01097g',0,1795781701039);
/*!40000 ALTER TABLE `attempts` ENABLE KEYS */;
DROP TABLE IF EXISTS `budgets`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `budgets` (
  `key` varchar(43) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `used` bigint(20) NOT NULL,
  `until` bigint(20) NOT NULL,
  PRIMARY KEY (`key`),
  KEY `budgets_until` (`until`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `budgets` DISABLE KEYS */;
INSERT INTO `budgets` (`key`, `used`, `until`) VALUES ('TDfeu7IupXa8-Oyh3qfwSFDx0UHhWMloKDtuH8cvUzE',2,1795784400000);
INSERT INTO `budgets` (`key`, `used`, `until`) VALUES ('fxMLKEdg70_PlsYnqFlMVejbOa-b-zwmwLu_1TafK1U',4,1795784400000);
INSERT INTO `budgets` (`key`, `used`, `until`) VALUES ('g8rJODLsXENCenNwW9kwlAfPFg3huovyxt7qbCi-yTU',114,1795784400000);
INSERT INTO `budgets` (`key`, `used`, `until`) VALUES ('iSWPx9_Iw3kEN3b1zzb39u9IB1MiCJ_oZPVDDHyBvl0',5,1795784400000);
INSERT INTO `budgets` (`key`, `used`, `until`) VALUES ('lj7OymaEUj1ATFoZ0l0ktFOxi5fVhzAdxxA1p5wDe4M',1,1795784400000);
/*!40000 ALTER TABLE `budgets` ENABLE KEYS */;
DROP TABLE IF EXISTS `claims`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `claims` (
  `fileId` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `id` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `uploadId` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `claimUntil` bigint(20) NOT NULL,
  `sealed` int(11) NOT NULL,
  PRIMARY KEY (`fileId`,`id`),
  KEY `claims_until` (`sealed`,`claimUntil`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `claims` DISABLE KEYS */;
/*!40000 ALTER TABLE `claims` ENABLE KEYS */;
DROP TABLE IF EXISTS `cliLogins`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `cliLogins` (
  `code` varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `secretHash` varchar(43) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `hostname` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `comment` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `createdAt` bigint(20) NOT NULL,
  `expireAt` bigint(20) NOT NULL,
  `address` varchar(45) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`code`),
  KEY `cli_logins_expire_at` (`expireAt`),
  KEY `cli_logins_of_user` (`userId`),
  CONSTRAINT `cliLogins_userId` FOREIGN KEY (`userId`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `cliLogins` DISABLE KEYS */;
/*!40000 ALTER TABLE `cliLogins` ENABLE KEYS */;
DROP TABLE IF EXISTS `dailyFigures`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `dailyFigures` (
  `day` varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `name` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `value` bigint(20) NOT NULL,
  PRIMARY KEY (`day`,`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `dailyFigures` DISABLE KEYS */;
INSERT INTO `dailyFigures` (`day`, `name`, `value`) VALUES ('2026-11-27','bytesIn',114);
INSERT INTO `dailyFigures` (`day`, `name`, `value`) VALUES ('2026-11-27','bytesOut',21);
INSERT INTO `dailyFigures` (`day`, `name`, `value`) VALUES ('2026-11-27','downloads',1);
INSERT INTO `dailyFigures` (`day`, `name`, `value`) VALUES ('2026-11-27','files',5);
INSERT INTO `dailyFigures` (`day`, `name`, `value`) VALUES ('2026-11-27','option:extendTTL',4);
INSERT INTO `dailyFigures` (`day`, `name`, `value`) VALUES ('2026-11-27','option:oneShot',1);
INSERT INTO `dailyFigures` (`day`, `name`, `value`) VALUES ('2026-11-27','option:password',1);
INSERT INTO `dailyFigures` (`day`, `name`, `value`) VALUES ('2026-11-27','size:100000',5);
INSERT INTO `dailyFigures` (`day`, `name`, `value`) VALUES ('2026-11-27','ttl:more',5);
INSERT INTO `dailyFigures` (`day`, `name`, `value`) VALUES ('2026-11-27','uploads',5);
/*!40000 ALTER TABLE `dailyFigures` ENABLE KEYS */;
DROP TABLE IF EXISTS `deliveries`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `deliveries` (
  `id` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `channel` varchar(8) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `target` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `event` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `payload` text CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `attempts` int(11) NOT NULL,
  `createdAt` bigint(20) NOT NULL,
  `dueAt` bigint(20) DEFAULT NULL,
  `claim` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `responseStatus` int(11) DEFAULT NULL,
  `error` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `delivered` int(11) NOT NULL,
  `finishedAt` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `deliveries_due` (`dueAt`,`id`),
  KEY `deliveries_target` (`target`,`createdAt`,`id`),
  KEY `deliveries_user` (`userId`,`finishedAt`),
  KEY `deliveries_finished` (`finishedAt`,`id`),
  CONSTRAINT `deliveries_userId` FOREIGN KEY (`userId`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `deliveries` DISABLE KEYS */;
INSERT INTO `deliveries` (`id`, `userId`, `channel`, `target`, `event`, `payload`, `attempts`, `createdAt`, `dueAt`, `claim`, `responseStatus`, `error`, `delivered`, `finishedAt`) VALUES ('MgT1FZU5xmsX7roq','local:grace','webhook','VZC446fS2L7DYxYK','request.received','{\"type\":\"request.received\",\"timestamp\":\"2026-11-27T12:10:01.751Z\",\"data\":{\"requestID\":\"koGfvRqyrmDEb6Ml\",\"uploadID\":\"odITcI6VMiTsJH6P\",\"files\":1,\"size\":24}}',0,1795781401978,1795781401978,NULL,NULL,NULL,0,NULL);
/*!40000 ALTER TABLE `deliveries` ENABLE KEYS */;
DROP TABLE IF EXISTS `downloads`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `downloads` (
  `uploadId` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `endedAt` bigint(20) NOT NULL,
  `id` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `fileId` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `bytes` bigint(20) NOT NULL,
  `result` varchar(8) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `client` varchar(8) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `address` varchar(45) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  PRIMARY KEY (`uploadId`,`endedAt`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `downloads` DISABLE KEYS */;
INSERT INTO `downloads` (`uploadId`, `endedAt`, `id`, `fileId`, `bytes`, `result`, `client`, `address`) VALUES ('zgnrpVmrUld0bcEB',1795781401703,'hlScGrDpxljpFF29','2UqFlu0aLPtoGdkr',21,'whole','other',NULL);
/*!40000 ALTER TABLE `downloads` ENABLE KEYS */;
DROP TABLE IF EXISTS `events`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `events` (
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `createdAt` bigint(20) NOT NULL,
  `id` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `type` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `payload` text CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  PRIMARY KEY (`userId`,`createdAt`,`id`),
  KEY `events_created_at` (`createdAt`),
  CONSTRAINT `events_userId` FOREIGN KEY (`userId`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `events` DISABLE KEYS */;
/*!40000 ALTER TABLE `events` ENABLE KEYS */;
DROP TABLE IF EXISTS `files`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `files` (
  `id` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `uploadId` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `position` int(11) NOT NULL,
  `reference` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `fileName` varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `fileSize` bigint(20) NOT NULL,
  `type` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `md5` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `crc32` bigint(20) NOT NULL,
  `status` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `createdAt` bigint(20) NOT NULL,
  `uploadedAt` bigint(20) DEFAULT NULL,
  `instance` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `claim` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `claimUntil` bigint(20) DEFAULT NULL,
  `brokenDownloads` int(11) NOT NULL,
  `reserved` bigint(20) NOT NULL DEFAULT 0,
  `sealed` int(11) NOT NULL DEFAULT 0,
  `downloads` int(11) NOT NULL DEFAULT 0,
  `claimed` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `files_upload_id` (`uploadId`,`position`),
  KEY `files_by_status` (`status`,`id`),
  KEY `files_sealed` (`sealed`,`claimUntil`),
  CONSTRAINT `files_uploadId` FOREIGN KEY (`uploadId`) REFERENCES `uploads` (`id`) ON DELETE NO ACTION
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `files` DISABLE KEYS */;
INSERT INTO `files` (`id`, `uploadId`, `position`, `reference`, `fileName`, `fileSize`, `type`, `md5`, `crc32`, `status`, `createdAt`, `uploadedAt`, `instance`, `claim`, `claimUntil`, `brokenDownloads`, `reserved`, `sealed`, `downloads`, `claimed`) VALUES ('2UqFlu0aLPtoGdkr','zgnrpVmrUld0bcEB',0,NULL,'notes ä.txt',21,'text/plain','e576cab8e14f5d3a43fab175f9bf6591',1174327338,'uploaded',1795781401683,1795781401689,NULL,NULL,NULL,0,0,0,0,0);
INSERT INTO `files` (`id`, `uploadId`, `position`, `reference`, `fileName`, `fileSize`, `type`, `md5`, `crc32`, `status`, `createdAt`, `uploadedAt`, `instance`, `claim`, `claimUntil`, `brokenDownloads`, `reserved`, `sealed`, `downloads`, `claimed`) VALUES ('AvflNUfmWQRrSH83','yysu5dfDHeKYpvK9',0,NULL,'notes ä.txt',21,'text/plain','5258fd2fb69354fa51791d9174f30693',198756175,'uploaded',1795781401425,1795781401453,NULL,NULL,NULL,0,0,0,0,0);
INSERT INTO `files` (`id`, `uploadId`, `position`, `reference`, `fileName`, `fileSize`, `type`, `md5`, `crc32`, `status`, `createdAt`, `uploadedAt`, `instance`, `claim`, `claimUntil`, `brokenDownloads`, `reserved`, `sealed`, `downloads`, `claimed`) VALUES ('BJcLiPNNjK75SLSl','odITcI6VMiTsJH6P',0,NULL,'notes ä.txt',24,'text/plain','cc394487d711cdeddebf596e3664903c',1698785078,'uploaded',1795781401740,1795781401749,NULL,NULL,NULL,0,0,0,0,0);
INSERT INTO `files` (`id`, `uploadId`, `position`, `reference`, `fileName`, `fileSize`, `type`, `md5`, `crc32`, `status`, `createdAt`, `uploadedAt`, `instance`, `claim`, `claimUntil`, `brokenDownloads`, `reserved`, `sealed`, `downloads`, `claimed`) VALUES ('v3U43bDXGimoQOaB','LLTT5uXH6B3xZLrT',0,NULL,'notes ä.txt',25,'text/plain','d2d261c839d2d03a9ebc0c9c5721f5a6',1786866608,'uploaded',1795781401640,1795781401645,NULL,NULL,NULL,0,0,0,0,0);
INSERT INTO `files` (`id`, `uploadId`, `position`, `reference`, `fileName`, `fileSize`, `type`, `md5`, `crc32`, `status`, `createdAt`, `uploadedAt`, `instance`, `claim`, `claimUntil`, `brokenDownloads`, `reserved`, `sealed`, `downloads`, `claimed`) VALUES ('va5EWNqSfRMEgytc','3nWcfdHc6RlCCL0K',0,NULL,'notes ä.txt',23,'text/plain','4ccc44fbb166fd2ab09280787f5aa0c3',2983055002,'uploaded',1795781401655,1795781401659,NULL,NULL,NULL,0,0,0,0,0);
/*!40000 ALTER TABLE `files` ENABLE KEYS */;
DROP TABLE IF EXISTS `instances`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `instances` (
  `id` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `seenAt` bigint(20) NOT NULL,
  `url` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL DEFAULT '',
  `process` varchar(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `instances` DISABLE KEYS */;
/*!40000 ALTER TABLE `instances` ENABLE KEYS */;
DROP TABLE IF EXISTS `kysely_migration`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `kysely_migration` (
  `name` varchar(255) NOT NULL,
  `timestamp` varchar(255) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `kysely_migration` DISABLE KEYS */;
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0001-uploads','2026-11-27T12:09:55.686Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0002-accounts','2026-11-27T12:09:57.016Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0003-instance-address','2026-11-27T12:09:57.040Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0004-resumables','2026-11-27T12:09:57.097Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0005-instance-process','2026-11-27T12:09:57.106Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0006-daily-figures','2026-11-27T12:09:57.126Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0007-files-by-status','2026-11-27T12:09:57.174Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0008-sealed-claims','2026-11-27T12:09:57.281Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0009-mass-removal','2026-11-27T12:09:57.546Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0010-listing-indexes','2026-11-27T12:09:58.024Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0011-totals','2026-11-27T12:09:58.065Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0012-hashed-tokens','2026-11-27T12:09:58.341Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0013-account-ids','2026-11-27T12:09:58.369Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0014-budgets','2026-11-27T12:09:58.498Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0015-hidden-figures','2026-11-27T12:09:58.830Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0016-files-by-upload','2026-11-27T12:09:58.851Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0017-download-limits','2026-11-27T12:09:59.011Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0018-downloads','2026-11-27T12:09:59.021Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0019-requests','2026-11-27T12:09:59.394Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0020-notifications','2026-11-27T12:10:00.238Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0021-upload-places','2026-11-27T12:10:00.382Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0022-wrapped-identities','2026-11-27T12:10:00.434Z');
INSERT INTO `kysely_migration` (`name`, `timestamp`) VALUES ('0023-aliases','2026-11-27T12:10:00.543Z');
/*!40000 ALTER TABLE `kysely_migration` ENABLE KEYS */;
DROP TABLE IF EXISTS `kysely_migration_lock`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `kysely_migration_lock` (
  `id` varchar(255) NOT NULL,
  `is_locked` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `kysely_migration_lock` DISABLE KEYS */;
INSERT INTO `kysely_migration_lock` (`id`, `is_locked`) VALUES ('migration_lock',0);
/*!40000 ALTER TABLE `kysely_migration_lock` ENABLE KEYS */;
DROP TABLE IF EXISTS `notificationSettings`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `notificationSettings` (
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `emailEvents` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `verifiedEmail` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `language` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `listeningUntil` bigint(20) NOT NULL,
  PRIMARY KEY (`userId`),
  CONSTRAINT `notificationSettings_userId` FOREIGN KEY (`userId`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `notificationSettings` DISABLE KEYS */;
/*!40000 ALTER TABLE `notificationSettings` ENABLE KEYS */;
DROP TABLE IF EXISTS `pushSubscriptions`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `pushSubscriptions` (
  `id` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `endpoint` varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `p256dh` varchar(87) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `auth` varchar(22) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `events` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `createdAt` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `push_subscriptions_user_id` (`userId`,`createdAt`),
  CONSTRAINT `pushSubscriptions_userId` FOREIGN KEY (`userId`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `pushSubscriptions` DISABLE KEYS */;
/*!40000 ALTER TABLE `pushSubscriptions` ENABLE KEYS */;
DROP TABLE IF EXISTS `removals`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `removals` (
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `generation` int(11) NOT NULL,
  `requestedAt` bigint(20) NOT NULL,
  `usedSize` bigint(20) NOT NULL DEFAULT 0,
  `uploads` bigint(20) NOT NULL DEFAULT 0,
  `files` bigint(20) NOT NULL DEFAULT 0,
  `size` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`userId`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `removals` DISABLE KEYS */;
/*!40000 ALTER TABLE `removals` ENABLE KEYS */;
DROP TABLE IF EXISTS `requests`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `requests` (
  `id` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `tokenHash` varchar(43) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `title` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `message` text CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `createdAt` bigint(20) NOT NULL,
  `expireAt` bigint(20) DEFAULT NULL,
  `closedAt` bigint(20) DEFAULT NULL,
  `removedAt` bigint(20) DEFAULT NULL,
  `maxFiles` bigint(20) NOT NULL,
  `maxFileSize` bigint(20) NOT NULL,
  `maxSize` bigint(20) NOT NULL,
  `extensions` text CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `oneSender` int(11) NOT NULL,
  `senderName` varchar(8) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `passwordHash` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `recipient` text CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `uploadTtl` bigint(20) NOT NULL,
  `afterEnd` varchar(8) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `uploads` int(11) NOT NULL,
  `seen` int(11) NOT NULL,
  `files` bigint(20) NOT NULL,
  `size` bigint(20) NOT NULL,
  `wrappedIdentity` text CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `requests_of_user` (`userId`,`createdAt`,`id`,`removedAt`),
  KEY `requests_by_date` (`createdAt`,`id`,`removedAt`),
  KEY `requests_by_end` (`expireAt`,`id`),
  KEY `requests_to_remove` (`removedAt`,`id`),
  CONSTRAINT `requests_userId` FOREIGN KEY (`userId`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `requests` DISABLE KEYS */;
INSERT INTO `requests` (`id`, `userId`, `tokenHash`, `title`, `message`, `createdAt`, `expireAt`, `closedAt`, `removedAt`, `maxFiles`, `maxFileSize`, `maxSize`, `extensions`, `oneSender`, `senderName`, `passwordHash`, `recipient`, `uploadTtl`, `afterEnd`, `uploads`, `seen`, `files`, `size`, `wrappedIdentity`) VALUES ('koGfvRqyrmDEb6Ml','local:grace','Qs5-lW6fDCGBeP6RRtnLXavDu5dLqniUeVvxANHi5Nk','Photos','',1795781401711,1796386201711,NULL,NULL,-1,-1,-1,'',0,'optional',NULL,'',-1,'keep',1,0,1,24,NULL);
/*!40000 ALTER TABLE `requests` ENABLE KEYS */;
DROP TABLE IF EXISTS `resumables`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `resumables` (
  `fileId` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `size` bigint(20) DEFAULT NULL,
  `received` bigint(20) NOT NULL,
  `session` text CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `type` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `writer` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `successor` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `expireAt` bigint(20) NOT NULL,
  `uploadId` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL DEFAULT '',
  PRIMARY KEY (`fileId`),
  KEY `resumables_expire_at` (`expireAt`),
  CONSTRAINT `resumables_fileId` FOREIGN KEY (`fileId`) REFERENCES `files` (`id`) ON DELETE NO ACTION
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `resumables` DISABLE KEYS */;
/*!40000 ALTER TABLE `resumables` ENABLE KEYS */;
DROP TABLE IF EXISTS `sessions`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `sessions` (
  `id` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `userAgent` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `address` varchar(45) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `createdAt` bigint(20) NOT NULL,
  `usedAt` bigint(20) NOT NULL,
  `expireAt` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `sessions_user_id` (`userId`,`createdAt`),
  KEY `sessions_expire_at` (`expireAt`),
  CONSTRAINT `sessions_userId` FOREIGN KEY (`userId`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `sessions` DISABLE KEYS */;
INSERT INTO `sessions` (`id`, `userId`, `userAgent`, `address`, `createdAt`, `usedAt`, `expireAt`) VALUES ('0KJNrvRohsCepCGUOw3nJkTZoFXvWEze','local:root','','127.0.0.1',1795781401127,1795781401127,1798373401127);
INSERT INTO `sessions` (`id`, `userId`, `userAgent`, `address`, `createdAt`, `usedAt`, `expireAt`) VALUES ('wBOajt8yPEPTMqjngHFy9qS4SmMmoLUm','local:grace','','127.0.0.1',1795781401327,1795781401327,1798373401327);
/*!40000 ALTER TABLE `sessions` ENABLE KEYS */;
DROP TABLE IF EXISTS `settings`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `settings` (
  `key` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `value` text CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  PRIMARY KEY (`key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `settings` DISABLE KEYS */;
INSERT INTO `settings` (`key`, `value`) VALUES ('sessionKey','ArCL15bWyUWRYiBIjPKj5Bwq6qCvFeHOGRpFJckurwz');
INSERT INTO `settings` (`key`, `value`) VALUES ('vapidKey','Yh6yq2gIZID3-z--vlI4kX7B271KBT9wZ4OwzwGnwlU');
/*!40000 ALTER TABLE `settings` ENABLE KEYS */;
DROP TABLE IF EXISTS `tokens`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tokens` (
  `id` varchar(41) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `comment` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `createdAt` bigint(20) NOT NULL,
  `usedAt` bigint(20) DEFAULT NULL,
  `expireAt` bigint(20) DEFAULT NULL,
  `tokenHash` varchar(43) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL DEFAULT '',
  `prefix` varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL DEFAULT '',
  `scopes` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `renewal` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `tokens_user_id` (`userId`,`createdAt`,`id`),
  CONSTRAINT `tokens_userId` FOREIGN KEY (`userId`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `tokens` DISABLE KEYS */;
INSERT INTO `tokens` (`id`, `userId`, `comment`, `createdAt`, `usedAt`, `expireAt`, `tokenHash`, `prefix`, `scopes`, `renewal`) VALUES ('0Rjq334e7z2JiU6h','local:grace','kept',1795781401384,1795781401672,NULL,'fBtrNL1_viiDe36Pah5EaeGN5_P9XVBqfJsNUYafcVo','svct_mEmW',NULL,NULL);
/*!40000 ALTER TABLE `tokens` ENABLE KEYS */;
DROP TABLE IF EXISTS `totals`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `totals` (
  `owner` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `shard` int(11) NOT NULL,
  `users` bigint(20) NOT NULL,
  `uploads` bigint(20) NOT NULL,
  `files` bigint(20) NOT NULL,
  `size` bigint(20) NOT NULL,
  PRIMARY KEY (`owner`,`shard`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `totals` DISABLE KEYS */;
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('',1,0,1,0,0);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('',2,0,0,1,21);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('',3,0,1,0,0);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('',4,0,0,1,25);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('',5,0,1,0,0);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('',6,0,0,1,23);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('*',0,2,0,0,0);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('*',7,0,1,0,0);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('*',8,0,0,1,21);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('*',9,0,1,0,0);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('*',10,0,0,1,24);
INSERT INTO `totals` (`owner`, `shard`, `users`, `uploads`, `files`, `size`) VALUES ('local:grace',0,0,2,2,45);
/*!40000 ALTER TABLE `totals` ENABLE KEYS */;
DROP TABLE IF EXISTS `uploads`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `uploads` (
  `id` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `tokenHash` varchar(43) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `ttl` bigint(20) NOT NULL,
  `extendTtl` int(11) NOT NULL,
  `oneShot` int(11) NOT NULL,
  `removable` int(11) NOT NULL,
  `stream` int(11) NOT NULL,
  `login` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `passwordHash` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `comments` text CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `e2ee` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `address` varchar(45) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `fileCount` int(11) NOT NULL,
  `createdAt` bigint(20) NOT NULL,
  `expireAt` bigint(20) DEFAULT NULL,
  `deletedAt` bigint(20) DEFAULT NULL,
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `userToken` varchar(41) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `size` bigint(20) NOT NULL DEFAULT 0,
  `options` int(11) NOT NULL DEFAULT 0,
  `generation` int(11) NOT NULL DEFAULT 0,
  `erasedAt` bigint(20) DEFAULT NULL,
  `maxDownloads` int(11) DEFAULT NULL,
  `requestId` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `requestTokenHash` varchar(43) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `sender` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `maxFileSize` bigint(20) DEFAULT NULL,
  `placeUntil` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `uploads_by_end` (`deletedAt`,`expireAt`),
  KEY `uploads_of_user_by_date` (`userId`,`deletedAt`,`createdAt`,`id`,`options`,`expireAt`),
  KEY `uploads_of_user_by_size` (`userId`,`deletedAt`,`size`,`id`,`options`,`expireAt`),
  KEY `uploads_of_token` (`userToken`,`deletedAt`,`createdAt`,`id`,`options`,`expireAt`),
  KEY `uploads_by_retention` (`erasedAt`,`deletedAt`,`id`),
  KEY `uploads_by_options_date` (`deletedAt`,`options`,`createdAt`,`id`,`expireAt`),
  KEY `uploads_by_options_size` (`deletedAt`,`options`,`size`,`id`,`expireAt`),
  KEY `uploads_of_request` (`requestId`,`deletedAt`,`createdAt`,`id`,`options`,`expireAt`),
  KEY `uploads_without_bytes` (`placeUntil`,`id`,`requestId`),
  CONSTRAINT `uploads_userId` FOREIGN KEY (`userId`) REFERENCES `users` (`id`) ON DELETE SET NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `uploads` DISABLE KEYS */;
INSERT INTO `uploads` (`id`, `tokenHash`, `ttl`, `extendTtl`, `oneShot`, `removable`, `stream`, `login`, `passwordHash`, `comments`, `e2ee`, `address`, `fileCount`, `createdAt`, `expireAt`, `deletedAt`, `userId`, `userToken`, `size`, `options`, `generation`, `erasedAt`, `maxDownloads`, `requestId`, `requestTokenHash`, `sender`, `maxFileSize`, `placeUntil`) VALUES ('3nWcfdHc6RlCCL0K','40hxXiTVoATVqFfefIKStybHztdBmmwyh4ji1sTTjT8',-1,1,1,0,0,NULL,NULL,'','','127.0.0.1',1,1795781401649,NULL,NULL,NULL,NULL,23,9,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO `uploads` (`id`, `tokenHash`, `ttl`, `extendTtl`, `oneShot`, `removable`, `stream`, `login`, `passwordHash`, `comments`, `e2ee`, `address`, `fileCount`, `createdAt`, `expireAt`, `deletedAt`, `userId`, `userToken`, `size`, `options`, `generation`, `erasedAt`, `maxDownloads`, `requestId`, `requestTokenHash`, `sender`, `maxFileSize`, `placeUntil`) VALUES ('LLTT5uXH6B3xZLrT','BsDOYjFl4-3rvVNh9gnYw9pgc3ZnM2zjdBsKE7CneLQ',-1,1,0,0,0,'ada','$argon2id$v=19$m=19456,t=2,p=1$oOtv6TkpoGonEBkFBb31aw$0TaGiP15F-T-p8FifQ6OTcbQ25awm5Xl4hazHeOtVU0','','','127.0.0.1',1,1795781401465,NULL,NULL,NULL,NULL,25,24,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO `uploads` (`id`, `tokenHash`, `ttl`, `extendTtl`, `oneShot`, `removable`, `stream`, `login`, `passwordHash`, `comments`, `e2ee`, `address`, `fileCount`, `createdAt`, `expireAt`, `deletedAt`, `userId`, `userToken`, `size`, `options`, `generation`, `erasedAt`, `maxDownloads`, `requestId`, `requestTokenHash`, `sender`, `maxFileSize`, `placeUntil`) VALUES ('odITcI6VMiTsJH6P','nmE7_Pf4p22uvbHehfJPTBkXqyS57drBySzjfv20Dkw',-1,0,0,0,0,NULL,NULL,'','','127.0.0.1',1,1795781401728,NULL,NULL,'local:grace',NULL,24,0,0,NULL,NULL,'koGfvRqyrmDEb6Ml','Qs5-lW6fDCGBeP6RRtnLXavDu5dLqniUeVvxANHi5Nk','Alan',-1,NULL);
INSERT INTO `uploads` (`id`, `tokenHash`, `ttl`, `extendTtl`, `oneShot`, `removable`, `stream`, `login`, `passwordHash`, `comments`, `e2ee`, `address`, `fileCount`, `createdAt`, `expireAt`, `deletedAt`, `userId`, `userToken`, `size`, `options`, `generation`, `erasedAt`, `maxDownloads`, `requestId`, `requestTokenHash`, `sender`, `maxFileSize`, `placeUntil`) VALUES ('yysu5dfDHeKYpvK9','N8J8ybSztKSO3D2KwwNrWqMs_2TZtOMGag1li5GWlaE',-1,1,0,0,0,NULL,NULL,'kept','','127.0.0.1',1,1795781401411,NULL,NULL,NULL,NULL,21,8,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO `uploads` (`id`, `tokenHash`, `ttl`, `extendTtl`, `oneShot`, `removable`, `stream`, `login`, `passwordHash`, `comments`, `e2ee`, `address`, `fileCount`, `createdAt`, `expireAt`, `deletedAt`, `userId`, `userToken`, `size`, `options`, `generation`, `erasedAt`, `maxDownloads`, `requestId`, `requestTokenHash`, `sender`, `maxFileSize`, `placeUntil`) VALUES ('zgnrpVmrUld0bcEB','JXRF1GBKNaQbscXovCotu6d6oppg1QR3Xv9zf4EyLbw',-1,1,0,0,0,NULL,NULL,'','','127.0.0.1',1,1795781401675,NULL,NULL,'local:grace','0Rjq334e7z2JiU6h',21,8,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
/*!40000 ALTER TABLE `uploads` ENABLE KEYS */;
DROP TABLE IF EXISTS `users`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `users` (
  `id` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `provider` varchar(8) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `issuer` varchar(512) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `login` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `name` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `email` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `passwordHash` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `admin` int(11) NOT NULL,
  `maxFileSize` bigint(20) NOT NULL,
  `maxUserSize` bigint(20) NOT NULL,
  `maxTTL` bigint(20) NOT NULL,
  `theme` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `language` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `usedSize` bigint(20) NOT NULL,
  `createdAt` bigint(20) NOT NULL,
  `generation` int(11) NOT NULL DEFAULT 0,
  `removedAt` bigint(20) DEFAULT NULL,
  `accountId` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `users_by_date` (`createdAt`,`id`,`removedAt`),
  KEY `users_of_provider` (`provider`,`createdAt`,`id`,`removedAt`),
  KEY `users_by_right` (`admin`,`createdAt`,`id`,`removedAt`),
  KEY `users_of_provider_by_right` (`provider`,`admin`,`createdAt`,`id`,`removedAt`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `users` DISABLE KEYS */;
INSERT INTO `users` (`id`, `provider`, `issuer`, `login`, `name`, `email`, `passwordHash`, `admin`, `maxFileSize`, `maxUserSize`, `maxTTL`, `theme`, `language`, `usedSize`, `createdAt`, `generation`, `removedAt`, `accountId`) VALUES ('local:grace','local',NULL,'grace','Grace','grace@example.org','$argon2id$v=19$m=19456,t=2,p=1$kWRbN42f6Q1o0JoIxyk-UQ$QS1UK-s9H8cYLKFHpDyd7s0IHgcYoTNAKqqRR1siAZw',0,0,0,0,'','',45,1795781401176,0,NULL,NULL);
INSERT INTO `users` (`id`, `provider`, `issuer`, `login`, `name`, `email`, `passwordHash`, `admin`, `maxFileSize`, `maxUserSize`, `maxTTL`, `theme`, `language`, `usedSize`, `createdAt`, `generation`, `removedAt`, `accountId`) VALUES ('local:root','local',NULL,'root','','','$argon2id$v=19$m=19456,t=2,p=1$twN-ShFZYN5bHRThz0ucQA$5KwF3RysXtnddivjLQlKe_NHQJ_GbSm9sHw9Y2RRXnw',1,0,0,0,'','',0,1795781400622,0,NULL,NULL);
/*!40000 ALTER TABLE `users` ENABLE KEYS */;
DROP TABLE IF EXISTS `webhooks`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `webhooks` (
  `id` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `userId` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `url` varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `events` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `description` varchar(256) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `enabled` int(11) NOT NULL,
  `secret` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  `previousSecret` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin DEFAULT NULL,
  `previousUntil` bigint(20) DEFAULT NULL,
  `createdAt` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `webhooks_user_id` (`userId`,`createdAt`),
  CONSTRAINT `webhooks_userId` FOREIGN KEY (`userId`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;
/*!40000 ALTER TABLE `webhooks` DISABLE KEYS */;
INSERT INTO `webhooks` (`id`, `userId`, `url`, `events`, `description`, `enabled`, `secret`, `previousSecret`, `previousUntil`, `createdAt`) VALUES ('VZC446fS2L7DYxYK','local:grace','http://127.0.0.1:9/svc','request.received','',1,'whsec_AKyp6Q5sNO9l1EH3Q3fuN5cip3DhIUQiya3lhdpKo0M=',NULL,NULL,1795781401888);
/*!40000 ALTER TABLE `webhooks` ENABLE KEYS */;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;
