CREATE TABLE public.aliases (
    alias character varying(64) NOT NULL COLLATE pg_catalog."C",
    "uploadId" character varying(16) NOT NULL COLLATE pg_catalog."C",
    "heldUntil" bigint
);
CREATE TABLE public.attempts (
    key character varying(43) NOT NULL COLLATE pg_catalog."C",
    count integer NOT NULL,
    until bigint NOT NULL
);
CREATE TABLE public.budgets (
    key character varying(43) NOT NULL COLLATE pg_catalog."C",
    used bigint NOT NULL,
    until bigint NOT NULL
);
CREATE TABLE public.claims (
    "fileId" character varying(16) NOT NULL COLLATE pg_catalog."C",
    id character varying(16) NOT NULL COLLATE pg_catalog."C",
    "uploadId" character varying(16) NOT NULL COLLATE pg_catalog."C",
    "claimUntil" bigint NOT NULL,
    sealed integer NOT NULL
);
CREATE TABLE public."cliLogins" (
    code character varying(9) NOT NULL COLLATE pg_catalog."C",
    "secretHash" character varying(43) NOT NULL COLLATE pg_catalog."C",
    hostname character varying(256) NOT NULL COLLATE pg_catalog."C",
    comment character varying(256) NOT NULL COLLATE pg_catalog."C",
    "userId" character varying(300) COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "expireAt" bigint NOT NULL,
    address character varying(45) DEFAULT ''::character varying NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public."dailyFigures" (
    day character varying(10) NOT NULL COLLATE pg_catalog."C",
    name character varying(32) NOT NULL COLLATE pg_catalog."C",
    value bigint NOT NULL
);
CREATE TABLE public.deliveries (
    id character varying(16) NOT NULL COLLATE pg_catalog."C",
    "userId" character varying(300) COLLATE pg_catalog."C",
    channel character varying(8) NOT NULL COLLATE pg_catalog."C",
    target character varying(16) NOT NULL COLLATE pg_catalog."C",
    event character varying(32) NOT NULL COLLATE pg_catalog."C",
    payload text NOT NULL COLLATE pg_catalog."C",
    attempts integer NOT NULL,
    "createdAt" bigint NOT NULL,
    "dueAt" bigint,
    claim character varying(16) COLLATE pg_catalog."C",
    "responseStatus" integer,
    error character varying(256) COLLATE pg_catalog."C",
    delivered integer NOT NULL,
    "finishedAt" bigint
);
CREATE TABLE public.downloads (
    "uploadId" character varying(16) NOT NULL COLLATE pg_catalog."C",
    "endedAt" bigint NOT NULL,
    id character varying(16) NOT NULL COLLATE pg_catalog."C",
    "fileId" character varying(16) COLLATE pg_catalog."C",
    bytes bigint NOT NULL,
    result character varying(8) NOT NULL COLLATE pg_catalog."C",
    client character varying(8) NOT NULL COLLATE pg_catalog."C",
    address character varying(45) COLLATE pg_catalog."C"
);
CREATE TABLE public.events (
    "userId" character varying(300) NOT NULL COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    id character varying(16) NOT NULL COLLATE pg_catalog."C",
    type character varying(32) NOT NULL COLLATE pg_catalog."C",
    payload text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.files (
    id character varying(16) NOT NULL COLLATE pg_catalog."C",
    "uploadId" character varying(16) NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    reference character varying(256) COLLATE pg_catalog."C",
    "fileName" character varying(1024) NOT NULL COLLATE pg_catalog."C",
    "fileSize" bigint NOT NULL,
    type character varying(255) NOT NULL COLLATE pg_catalog."C",
    md5 character varying(32) NOT NULL COLLATE pg_catalog."C",
    crc32 bigint NOT NULL,
    status character varying(16) NOT NULL COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "uploadedAt" bigint,
    instance character varying(16) COLLATE pg_catalog."C",
    claim character varying(16) COLLATE pg_catalog."C",
    "claimUntil" bigint,
    "brokenDownloads" integer NOT NULL,
    reserved bigint DEFAULT 0 NOT NULL,
    sealed integer DEFAULT 0 NOT NULL,
    downloads integer DEFAULT 0 NOT NULL,
    claimed integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.instances (
    id character varying(16) NOT NULL COLLATE pg_catalog."C",
    "seenAt" bigint NOT NULL,
    url character varying(300) DEFAULT ''::character varying NOT NULL COLLATE pg_catalog."C",
    process character varying(120) DEFAULT ''::character varying NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public."notificationSettings" (
    "userId" character varying(300) NOT NULL COLLATE pg_catalog."C",
    "emailEvents" character varying(256) NOT NULL COLLATE pg_catalog."C",
    "verifiedEmail" character varying(256) COLLATE pg_catalog."C",
    language character varying(16) NOT NULL COLLATE pg_catalog."C",
    "listeningUntil" bigint NOT NULL
);
CREATE TABLE public."pushSubscriptions" (
    id character varying(16) NOT NULL COLLATE pg_catalog."C",
    "userId" character varying(300) NOT NULL COLLATE pg_catalog."C",
    endpoint character varying(1024) NOT NULL COLLATE pg_catalog."C",
    p256dh character varying(87) NOT NULL COLLATE pg_catalog."C",
    auth character varying(22) NOT NULL COLLATE pg_catalog."C",
    events character varying(256) NOT NULL COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL
);
CREATE TABLE public.removals (
    "userId" character varying(300) NOT NULL COLLATE pg_catalog."C",
    generation integer NOT NULL,
    "requestedAt" bigint NOT NULL,
    "usedSize" bigint DEFAULT 0 NOT NULL,
    uploads bigint DEFAULT 0 NOT NULL,
    files bigint DEFAULT 0 NOT NULL,
    size bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.requests (
    id character varying(16) NOT NULL COLLATE pg_catalog."C",
    "userId" character varying(300) COLLATE pg_catalog."C",
    "tokenHash" character varying(43) NOT NULL COLLATE pg_catalog."C",
    title character varying(256) NOT NULL COLLATE pg_catalog."C",
    message text NOT NULL COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "expireAt" bigint,
    "closedAt" bigint,
    "removedAt" bigint,
    "maxFiles" bigint NOT NULL,
    "maxFileSize" bigint NOT NULL,
    "maxSize" bigint NOT NULL,
    extensions text NOT NULL COLLATE pg_catalog."C",
    "oneSender" integer NOT NULL,
    "senderName" character varying(8) NOT NULL COLLATE pg_catalog."C",
    "passwordHash" character varying(256) COLLATE pg_catalog."C",
    recipient text NOT NULL COLLATE pg_catalog."C",
    "uploadTtl" bigint NOT NULL,
    "afterEnd" character varying(8) NOT NULL COLLATE pg_catalog."C",
    uploads integer NOT NULL,
    seen integer NOT NULL,
    files bigint NOT NULL,
    size bigint NOT NULL,
    "wrappedIdentity" text COLLATE pg_catalog."C"
);
CREATE TABLE public.resumables (
    "fileId" character varying(16) NOT NULL COLLATE pg_catalog."C",
    size bigint,
    received bigint NOT NULL,
    session text NOT NULL COLLATE pg_catalog."C",
    type character varying(255) NOT NULL COLLATE pg_catalog."C",
    writer character varying(16) COLLATE pg_catalog."C",
    successor character varying(16) COLLATE pg_catalog."C",
    "expireAt" bigint NOT NULL,
    "uploadId" character varying(16) DEFAULT ''::character varying NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.sessions (
    id character varying(32) NOT NULL COLLATE pg_catalog."C",
    "userId" character varying(300) NOT NULL COLLATE pg_catalog."C",
    "userAgent" character varying(256) NOT NULL COLLATE pg_catalog."C",
    address character varying(45) NOT NULL COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "usedAt" bigint NOT NULL,
    "expireAt" bigint NOT NULL
);
CREATE TABLE public.settings (
    key character varying(64) NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.tokens (
    id character varying(41) NOT NULL COLLATE pg_catalog."C",
    "userId" character varying(300) NOT NULL COLLATE pg_catalog."C",
    comment character varying(256) NOT NULL COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "usedAt" bigint,
    "expireAt" bigint,
    "tokenHash" character varying(43) DEFAULT ''::character varying NOT NULL COLLATE pg_catalog."C",
    prefix character varying(9) DEFAULT ''::character varying NOT NULL COLLATE pg_catalog."C",
    scopes character varying(64) COLLATE pg_catalog."C",
    renewal bigint
);
CREATE TABLE public.totals (
    owner character varying(300) NOT NULL COLLATE pg_catalog."C",
    shard integer NOT NULL,
    users bigint NOT NULL,
    uploads bigint NOT NULL,
    files bigint NOT NULL,
    size bigint NOT NULL
);
CREATE TABLE public.uploads (
    id character varying(16) NOT NULL COLLATE pg_catalog."C",
    "tokenHash" character varying(43) NOT NULL COLLATE pg_catalog."C",
    ttl bigint NOT NULL,
    "extendTtl" integer NOT NULL,
    "oneShot" integer NOT NULL,
    removable integer NOT NULL,
    stream integer NOT NULL,
    login character varying(128) COLLATE pg_catalog."C",
    "passwordHash" character varying(256) COLLATE pg_catalog."C",
    comments text NOT NULL COLLATE pg_catalog."C",
    e2ee character varying(32) NOT NULL COLLATE pg_catalog."C",
    address character varying(45) NOT NULL COLLATE pg_catalog."C",
    "fileCount" integer NOT NULL,
    "createdAt" bigint NOT NULL,
    "expireAt" bigint,
    "deletedAt" bigint,
    "userId" character varying(300) COLLATE pg_catalog."C",
    "userToken" character varying(41) COLLATE pg_catalog."C",
    size bigint DEFAULT 0 NOT NULL,
    options integer DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    "erasedAt" bigint,
    "maxDownloads" integer,
    "requestId" character varying(16) COLLATE pg_catalog."C",
    "requestTokenHash" character varying(43) COLLATE pg_catalog."C",
    sender character varying(256) COLLATE pg_catalog."C",
    "maxFileSize" bigint,
    "placeUntil" bigint
);
CREATE TABLE public.users (
    id character varying(300) NOT NULL COLLATE pg_catalog."C",
    provider character varying(8) NOT NULL COLLATE pg_catalog."C",
    issuer character varying(512) COLLATE pg_catalog."C",
    login character varying(256) NOT NULL COLLATE pg_catalog."C",
    name character varying(256) NOT NULL COLLATE pg_catalog."C",
    email character varying(256) NOT NULL COLLATE pg_catalog."C",
    "passwordHash" character varying(256) COLLATE pg_catalog."C",
    admin integer NOT NULL,
    "maxFileSize" bigint NOT NULL,
    "maxUserSize" bigint NOT NULL,
    "maxTTL" bigint NOT NULL,
    theme character varying(256) NOT NULL COLLATE pg_catalog."C",
    language character varying(256) NOT NULL COLLATE pg_catalog."C",
    "usedSize" bigint NOT NULL,
    "createdAt" bigint NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    "removedAt" bigint,
    "accountId" character varying(255) COLLATE pg_catalog."C"
);
CREATE TABLE public.webhooks (
    id character varying(16) NOT NULL COLLATE pg_catalog."C",
    "userId" character varying(300) NOT NULL COLLATE pg_catalog."C",
    url character varying(1024) NOT NULL COLLATE pg_catalog."C",
    events character varying(256) NOT NULL COLLATE pg_catalog."C",
    description character varying(256) NOT NULL COLLATE pg_catalog."C",
    enabled integer NOT NULL,
    secret character varying(64) NOT NULL COLLATE pg_catalog."C",
    "previousSecret" character varying(64) COLLATE pg_catalog."C",
    "previousUntil" bigint,
    "createdAt" bigint NOT NULL
);
INSERT INTO public.aliases (alias, "uploadId", "heldUntil") VALUES ('holiday-2026', 'NuQg3Gtkn87cpFWQ', NULL);
INSERT INTO public.attempts (key, count, until) VALUES ('NckhLORNh321YjsqWWdCA-9ssl3lqtj70J9xg01097g', 0, 1795781688375);
INSERT INTO public.budgets (key, used, until) VALUES ('TDfeu7IupXa8-Oyh3qfwSFDx0UHhWMloKDtuH8cvUzE', 2, 1795784400000);
INSERT INTO public.budgets (key, used, until) VALUES ('fxMLKEdg70_PlsYnqFlMVejbOa-b-zwmwLu_1TafK1U', 4, 1795784400000);
INSERT INTO public.budgets (key, used, until) VALUES ('g8rJODLsXENCenNwW9kwlAfPFg3huovyxt7qbCi-yTU', 114, 1795784400000);
INSERT INTO public.budgets (key, used, until) VALUES ('iSWPx9_Iw3kEN3b1zzb39u9IB1MiCJ_oZPVDDHyBvl0', 5, 1795784400000);
INSERT INTO public.budgets (key, used, until) VALUES ('lj7OymaEUj1ATFoZ0l0ktFOxi5fVhzAdxxA1p5wDe4M', 1, 1795784400000);
INSERT INTO public."dailyFigures" (day, name, value) VALUES ('2026-11-27', 'bytesIn', 114);
INSERT INTO public."dailyFigures" (day, name, value) VALUES ('2026-11-27', 'bytesOut', 21);
INSERT INTO public."dailyFigures" (day, name, value) VALUES ('2026-11-27', 'downloads', 1);
INSERT INTO public."dailyFigures" (day, name, value) VALUES ('2026-11-27', 'files', 5);
INSERT INTO public."dailyFigures" (day, name, value) VALUES ('2026-11-27', 'option:extendTTL', 4);
INSERT INTO public."dailyFigures" (day, name, value) VALUES ('2026-11-27', 'option:oneShot', 1);
INSERT INTO public."dailyFigures" (day, name, value) VALUES ('2026-11-27', 'option:password', 1);
INSERT INTO public."dailyFigures" (day, name, value) VALUES ('2026-11-27', 'size:100000', 5);
INSERT INTO public."dailyFigures" (day, name, value) VALUES ('2026-11-27', 'ttl:more', 5);
INSERT INTO public."dailyFigures" (day, name, value) VALUES ('2026-11-27', 'uploads', 5);
INSERT INTO public.deliveries (id, "userId", channel, target, event, payload, attempts, "createdAt", "dueAt", claim, "responseStatus", error, delivered, "finishedAt") VALUES ('jqGzum6y7Jsb1Plz', 'local:grace', 'webhook', 'BPyjo0NtHKuOZcn5', 'request.received', '{"type":"request.received","timestamp":"2026-11-27T12:09:50.057Z","data":{"requestID":"f6LO0zU22UrobOms","uploadID":"L8rq1fpXTREHYbDg","files":1,"size":24}}', 0, 1795781390079, 1795781390079, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.downloads ("uploadId", "endedAt", id, "fileId", bytes, result, client, address) VALUES ('NuQg3Gtkn87cpFWQ', 1795781389984, 'CvyeS69Du47vaQy9', 'LJ519iA3ke8kh6Ht', 21, 'whole', 'other', NULL);
INSERT INTO public.files (id, "uploadId", "position", reference, "fileName", "fileSize", type, md5, crc32, status, "createdAt", "uploadedAt", instance, claim, "claimUntil", "brokenDownloads", reserved, sealed, downloads, claimed) VALUES ('oMhMOC2Mz9EttfZj', 'ekvQKX2YcDznK1S6', 0, NULL, 'notes ä.txt', 21, 'text/plain', '5258fd2fb69354fa51791d9174f30693', 198756175, 'uploaded', 1795781389349, 1795781389458, NULL, NULL, NULL, 0, 0, 0, 0, 0);
INSERT INTO public.files (id, "uploadId", "position", reference, "fileName", "fileSize", type, md5, crc32, status, "createdAt", "uploadedAt", instance, claim, "claimUntil", "brokenDownloads", reserved, sealed, downloads, claimed) VALUES ('TGJYOveKq1ADl39M', 'FtRCH5JBAyMTM7CD', 0, NULL, 'notes ä.txt', 25, 'text/plain', 'd2d261c839d2d03a9ebc0c9c5721f5a6', 1786866608, 'uploaded', 1795781389726, 1795781389750, NULL, NULL, NULL, 0, 0, 0, 0, 0);
INSERT INTO public.files (id, "uploadId", "position", reference, "fileName", "fileSize", type, md5, crc32, status, "createdAt", "uploadedAt", instance, claim, "claimUntil", "brokenDownloads", reserved, sealed, downloads, claimed) VALUES ('ksL21eDjIPZlYbtE', 'YHgmj1dnQSQ83oG0', 0, NULL, 'notes ä.txt', 23, 'text/plain', '4ccc44fbb166fd2ab09280787f5aa0c3', 2983055002, 'uploaded', 1795781389866, 1795781389898, NULL, NULL, NULL, 0, 0, 0, 0, 0);
INSERT INTO public.files (id, "uploadId", "position", reference, "fileName", "fileSize", type, md5, crc32, status, "createdAt", "uploadedAt", instance, claim, "claimUntil", "brokenDownloads", reserved, sealed, downloads, claimed) VALUES ('LJ519iA3ke8kh6Ht', 'NuQg3Gtkn87cpFWQ', 0, NULL, 'notes ä.txt', 21, 'text/plain', 'e576cab8e14f5d3a43fab175f9bf6591', 1174327338, 'uploaded', 1795781389928, 1795781389948, NULL, NULL, NULL, 0, 0, 0, 0, 0);
INSERT INTO public.files (id, "uploadId", "position", reference, "fileName", "fileSize", type, md5, crc32, status, "createdAt", "uploadedAt", instance, claim, "claimUntil", "brokenDownloads", reserved, sealed, downloads, claimed) VALUES ('ThLcBdlk4I4v9LLO', 'L8rq1fpXTREHYbDg', 0, NULL, 'notes ä.txt', 24, 'text/plain', 'cc394487d711cdeddebf596e3664903c', 1698785078, 'uploaded', 1795781390047, 1795781390054, NULL, NULL, NULL, 0, 0, 0, 0, 0);
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0001-uploads', '2026-11-27T12:09:47.644Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0002-accounts', '2026-11-27T12:09:47.701Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0003-instance-address', '2026-11-27T12:09:47.703Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0004-resumables', '2026-11-27T12:09:47.710Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0005-instance-process', '2026-11-27T12:09:47.719Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0006-daily-figures', '2026-11-27T12:09:47.721Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0007-files-by-status', '2026-11-27T12:09:47.724Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0008-sealed-claims', '2026-11-27T12:09:47.730Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0009-mass-removal', '2026-11-27T12:09:47.739Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0010-listing-indexes', '2026-11-27T12:09:47.760Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0011-totals', '2026-11-27T12:09:47.776Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0012-hashed-tokens', '2026-11-27T12:09:47.810Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0013-account-ids', '2026-11-27T12:09:47.812Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0014-budgets', '2026-11-27T12:09:47.815Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0015-hidden-figures', '2026-11-27T12:09:47.822Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0016-files-by-upload', '2026-11-27T12:09:47.823Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0017-download-limits', '2026-11-27T12:09:47.833Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0018-downloads', '2026-11-27T12:09:47.835Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0019-requests', '2026-11-27T12:09:47.859Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0020-notifications', '2026-11-27T12:09:47.913Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0021-upload-places', '2026-11-27T12:09:47.916Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0022-wrapped-identities', '2026-11-27T12:09:47.918Z');
INSERT INTO public.kysely_migration (name, "timestamp") VALUES ('0023-aliases', '2026-11-27T12:09:47.923Z');
INSERT INTO public.kysely_migration_lock (id, is_locked) VALUES ('migration_lock', 0);
INSERT INTO public.requests (id, "userId", "tokenHash", title, message, "createdAt", "expireAt", "closedAt", "removedAt", "maxFiles", "maxFileSize", "maxSize", extensions, "oneSender", "senderName", "passwordHash", recipient, "uploadTtl", "afterEnd", uploads, seen, files, size, "wrappedIdentity") VALUES ('f6LO0zU22UrobOms', 'local:grace', 'g9VdPLFPtMRCqG34JzhBFtvy_rnfwL_bZl9_32TPr18', 'Photos', '', 1795781389994, 1796386189994, NULL, NULL, -1, -1, -1, '', 0, 'optional', NULL, '', -1, 'keep', 1, 0, 1, 24, NULL);
INSERT INTO public.sessions (id, "userId", "userAgent", address, "createdAt", "usedAt", "expireAt") VALUES ('tZ8KvxkUfo3TQk5UlW3vujz7rIXqRSdw', 'local:root', '', '127.0.0.1', 1795781388590, 1795781388590, 1798373388590);
INSERT INTO public.sessions (id, "userId", "userAgent", address, "createdAt", "usedAt", "expireAt") VALUES ('OyYmImjbKIkf8Y5QZjcp2AFDzFLYknLC', 'local:grace', '', '127.0.0.1', 1795781389288, 1795781389288, 1798373389288);
INSERT INTO public.settings (key, value) VALUES ('sessionKey', '48HmLBwAXUGamJB3LBmEfjpq5QAMbVf7WsKXw1Otvfv');
INSERT INTO public.settings (key, value) VALUES ('vapidKey', 'cqyB_5vv86HO-KpMTibKs0N8pBya2GhXKKCWcrvkjV8');
INSERT INTO public.tokens (id, "userId", comment, "createdAt", "usedAt", "expireAt", "tokenHash", prefix, scopes, renewal) VALUES ('bwwKjC5VJVA2iKHn', 'local:grace', 'kept', 1795781389310, 1795781389903, NULL, 'Jba2zmsMBdlRHwpA5hQRbzMjpaBtJFa1MgMGHbUtnAE', 'svct_BRlk', NULL, NULL);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('*', 0, 2, 0, 0, 0);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('', 1, 0, 1, 0, 0);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('', 2, 0, 0, 1, 21);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('', 3, 0, 1, 0, 0);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('', 4, 0, 0, 1, 25);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('', 5, 0, 1, 0, 0);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('', 6, 0, 0, 1, 23);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('*', 7, 0, 1, 0, 0);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('*', 8, 0, 0, 1, 21);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('*', 9, 0, 1, 0, 0);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('local:grace', 0, 0, 2, 2, 45);
INSERT INTO public.totals (owner, shard, users, uploads, files, size) VALUES ('*', 10, 0, 0, 1, 24);
INSERT INTO public.uploads (id, "tokenHash", ttl, "extendTtl", "oneShot", removable, stream, login, "passwordHash", comments, e2ee, address, "fileCount", "createdAt", "expireAt", "deletedAt", "userId", "userToken", size, options, generation, "erasedAt", "maxDownloads", "requestId", "requestTokenHash", sender, "maxFileSize", "placeUntil") VALUES ('ekvQKX2YcDznK1S6', 'ggDV4O7g1tpjwrXY9xvHsltKJTCSRe_kWp9B07Kmmkc', -1, 1, 0, 0, 0, NULL, NULL, 'kept', '', '127.0.0.1', 1, 1795781389331, NULL, NULL, NULL, NULL, 21, 8, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.uploads (id, "tokenHash", ttl, "extendTtl", "oneShot", removable, stream, login, "passwordHash", comments, e2ee, address, "fileCount", "createdAt", "expireAt", "deletedAt", "userId", "userToken", size, options, generation, "erasedAt", "maxDownloads", "requestId", "requestTokenHash", sender, "maxFileSize", "placeUntil") VALUES ('FtRCH5JBAyMTM7CD', '-BF1Li0nc_pemKLsieNktxAccHjEdEtF3--I0y-yy5E', -1, 1, 0, 0, 0, 'ada', '$argon2id$v=19$m=19456,t=2,p=1$jU9qLz9FLO08tlTrKwLBEA$dxZ6lFu7tppedmMsTE1dzH0O1KebMU2_fci04Qu-ckM', '', '', '127.0.0.1', 1, 1795781389494, NULL, NULL, NULL, NULL, 25, 24, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.uploads (id, "tokenHash", ttl, "extendTtl", "oneShot", removable, stream, login, "passwordHash", comments, e2ee, address, "fileCount", "createdAt", "expireAt", "deletedAt", "userId", "userToken", size, options, generation, "erasedAt", "maxDownloads", "requestId", "requestTokenHash", sender, "maxFileSize", "placeUntil") VALUES ('YHgmj1dnQSQ83oG0', 'H0k6tW8P9KgoMgTzb_wxiV0Tw1K6hphsg87ojOEveas', -1, 1, 1, 0, 0, NULL, NULL, '', '', '127.0.0.1', 1, 1795781389848, NULL, NULL, NULL, NULL, 23, 9, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.uploads (id, "tokenHash", ttl, "extendTtl", "oneShot", removable, stream, login, "passwordHash", comments, e2ee, address, "fileCount", "createdAt", "expireAt", "deletedAt", "userId", "userToken", size, options, generation, "erasedAt", "maxDownloads", "requestId", "requestTokenHash", sender, "maxFileSize", "placeUntil") VALUES ('NuQg3Gtkn87cpFWQ', 'TGzSXK6qJ3tl59AF0PG5wEFnAR41QD03xgqZj3v1Fek', -1, 1, 0, 0, 0, NULL, NULL, '', '', '127.0.0.1', 1, 1795781389905, NULL, NULL, 'local:grace', 'bwwKjC5VJVA2iKHn', 21, 8, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.uploads (id, "tokenHash", ttl, "extendTtl", "oneShot", removable, stream, login, "passwordHash", comments, e2ee, address, "fileCount", "createdAt", "expireAt", "deletedAt", "userId", "userToken", size, options, generation, "erasedAt", "maxDownloads", "requestId", "requestTokenHash", sender, "maxFileSize", "placeUntil") VALUES ('L8rq1fpXTREHYbDg', '-KSuUARJ12QlxT_bUCXnmOV27aHjLOPqGLVTGeplDa8', -1, 0, 0, 0, 0, NULL, NULL, '', '', '127.0.0.1', 1, 1795781390036, NULL, NULL, 'local:grace', NULL, 24, 0, 0, NULL, NULL, 'f6LO0zU22UrobOms', 'g9VdPLFPtMRCqG34JzhBFtvy_rnfwL_bZl9_32TPr18', 'Alan', -1, NULL);
INSERT INTO public.users (id, provider, issuer, login, name, email, "passwordHash", admin, "maxFileSize", "maxUserSize", "maxTTL", theme, language, "usedSize", "createdAt", generation, "removedAt", "accountId") VALUES ('local:root', 'local', NULL, 'root', '', '', '$argon2id$v=19$m=19456,t=2,p=1$t_ywy0ApvFuZak1tKK8VhA$1kiwQb7OqiTcVHexQFDdS2iV0ae15UOPSqFT-BSTJ_8', 1, 0, 0, 0, '', '', 0, 1795781388056, 0, NULL, NULL);
INSERT INTO public.users (id, provider, issuer, login, name, email, "passwordHash", admin, "maxFileSize", "maxUserSize", "maxTTL", theme, language, "usedSize", "createdAt", generation, "removedAt", "accountId") VALUES ('local:grace', 'local', NULL, 'grace', 'Grace', 'grace@example.org', '$argon2id$v=19$m=19456,t=2,p=1$jK71YiuLORK9nXrsVqR1Iw$xA3lYWj53drUZmryIcXgL-jAfiJx0kbYPI7xYIWSzcI', 0, 0, 0, 0, '', '', 45, 1795781388878, 0, NULL, NULL);
INSERT INTO public.webhooks (id, "userId", url, events, description, enabled, secret, "previousSecret", "previousUntil", "createdAt") VALUES ('BPyjo0NtHKuOZcn5', 'local:grace', 'http://127.0.0.1:9/svc', 'request.received', '', 1, 'whsec_4jUb1FrTFbm7nyCittZt/EVDGHB/8o5Na8zsI5xbkx4=', NULL, NULL, 1795781390065);
ALTER TABLE ONLY public.aliases
    ADD CONSTRAINT aliases_pkey PRIMARY KEY (alias);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.claims
    ADD CONSTRAINT claims_key PRIMARY KEY ("fileId", id);
ALTER TABLE ONLY public."cliLogins"
    ADD CONSTRAINT "cliLogins_pkey" PRIMARY KEY (code);
ALTER TABLE ONLY public."dailyFigures"
    ADD CONSTRAINT "dailyFigures_key" PRIMARY KEY (day, name);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.downloads
    ADD CONSTRAINT downloads_key PRIMARY KEY ("uploadId", "endedAt", id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_key PRIMARY KEY ("userId", "createdAt", id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.instances
    ADD CONSTRAINT instances_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public."notificationSettings"
    ADD CONSTRAINT "notificationSettings_pkey" PRIMARY KEY ("userId");
ALTER TABLE ONLY public."pushSubscriptions"
    ADD CONSTRAINT "pushSubscriptions_pkey" PRIMARY KEY (id);
ALTER TABLE ONLY public.removals
    ADD CONSTRAINT removals_pkey PRIMARY KEY ("userId");
ALTER TABLE ONLY public.requests
    ADD CONSTRAINT requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.resumables
    ADD CONSTRAINT resumables_pkey PRIMARY KEY ("fileId");
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.totals
    ADD CONSTRAINT totals_key PRIMARY KEY (owner, shard);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);
CREATE INDEX aliases_held_until ON public.aliases USING btree ("heldUntil") WHERE ("heldUntil" IS NOT NULL);
CREATE INDEX aliases_upload_id ON public.aliases USING btree ("uploadId");
CREATE INDEX attempts_until ON public.attempts USING btree (until);
CREATE INDEX budgets_until ON public.budgets USING btree (until);
CREATE INDEX claims_until ON public.claims USING btree (sealed, "claimUntil");
CREATE INDEX cli_logins_expire_at ON public."cliLogins" USING btree ("expireAt");
CREATE INDEX cli_logins_of_user ON public."cliLogins" USING btree ("userId");
CREATE INDEX deliveries_due ON public.deliveries USING btree ("dueAt", id) WHERE ("dueAt" IS NOT NULL);
CREATE INDEX deliveries_finished ON public.deliveries USING btree ("finishedAt", id) WHERE ("finishedAt" IS NOT NULL);
CREATE INDEX deliveries_target ON public.deliveries USING btree (target, "createdAt", id);
CREATE INDEX deliveries_user ON public.deliveries USING btree ("userId", "finishedAt");
CREATE INDEX events_created_at ON public.events USING btree ("createdAt");
CREATE INDEX files_removed ON public.files USING btree (id) WHERE ((status)::text = 'removed'::text);
CREATE INDEX files_sealed ON public.files USING btree (sealed, "claimUntil") WHERE (sealed = 1);
CREATE INDEX files_upload_id ON public.files USING btree ("uploadId", "position");
CREATE INDEX files_uploading ON public.files USING btree (id) WHERE ((status)::text = 'uploading'::text);
CREATE INDEX push_subscriptions_user_id ON public."pushSubscriptions" USING btree ("userId", "createdAt");
CREATE INDEX requests_by_date ON public.requests USING btree ("createdAt", id, "removedAt");
CREATE INDEX requests_by_end ON public.requests USING btree ("expireAt", id);
CREATE INDEX requests_of_user ON public.requests USING btree ("userId", "createdAt", id, "removedAt");
CREATE INDEX requests_to_remove ON public.requests USING btree ("removedAt", id);
CREATE INDEX resumables_expire_at ON public.resumables USING btree ("expireAt");
CREATE INDEX sessions_expire_at ON public.sessions USING btree ("expireAt");
CREATE INDEX sessions_user_id ON public.sessions USING btree ("userId", "createdAt");
CREATE INDEX tokens_user_id ON public.tokens USING btree ("userId", "createdAt", id);
CREATE INDEX uploads_by_end ON public.uploads USING btree ("expireAt", "deletedAt") WHERE ("deletedAt" IS NULL);
CREATE INDEX uploads_by_options_date ON public.uploads USING btree (options, "createdAt", id, "expireAt", "deletedAt") WHERE ("deletedAt" IS NULL);
CREATE INDEX uploads_by_options_size ON public.uploads USING btree (options, size, id, "expireAt", "deletedAt") WHERE ("deletedAt" IS NULL);
CREATE INDEX uploads_of_request ON public.uploads USING btree ("requestId", "createdAt", id, options, "expireAt", "deletedAt") WHERE (("requestId" IS NOT NULL) AND ("deletedAt" IS NULL));
CREATE INDEX uploads_of_token ON public.uploads USING btree ("userToken", "createdAt", id, options, "expireAt", "deletedAt") WHERE (("userToken" IS NOT NULL) AND ("deletedAt" IS NULL));
CREATE INDEX uploads_of_user ON public.uploads USING btree ("userId") WHERE ("userId" IS NOT NULL);
CREATE INDEX uploads_of_user_by_date ON public.uploads USING btree ("userId", "createdAt", id, options, "expireAt", "deletedAt") WHERE (("userId" IS NOT NULL) AND ("deletedAt" IS NULL));
CREATE INDEX uploads_of_user_by_size ON public.uploads USING btree ("userId", size, id, options, "expireAt", "deletedAt") WHERE (("userId" IS NOT NULL) AND ("deletedAt" IS NULL));
CREATE INDEX uploads_to_erase ON public.uploads USING btree ("deletedAt", id) WHERE (("deletedAt" IS NOT NULL) AND ("erasedAt" IS NULL));
CREATE INDEX uploads_to_purge ON public.uploads USING btree ("erasedAt", id) WHERE ("erasedAt" IS NOT NULL);
CREATE INDEX uploads_without_bytes ON public.uploads USING btree ("placeUntil", id, "requestId") WHERE ("placeUntil" IS NOT NULL);
CREATE INDEX users_by_date ON public.users USING btree ("createdAt", id, "removedAt");
CREATE INDEX users_by_right ON public.users USING btree (admin, "createdAt", id, "removedAt");
CREATE INDEX users_of_provider ON public.users USING btree (provider, "createdAt", id, "removedAt");
CREATE INDEX users_of_provider_by_right ON public.users USING btree (provider, admin, "createdAt", id, "removedAt");
CREATE INDEX webhooks_user_id ON public.webhooks USING btree ("userId", "createdAt");
ALTER TABLE ONLY public."cliLogins"
    ADD CONSTRAINT "cliLogins_userId_fkey" FOREIGN KEY ("userId") REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT "deliveries_userId_fkey" FOREIGN KEY ("userId") REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.events
    ADD CONSTRAINT "events_userId_fkey" FOREIGN KEY ("userId") REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.files
    ADD CONSTRAINT "files_uploadId_fkey" FOREIGN KEY ("uploadId") REFERENCES public.uploads(id);
ALTER TABLE ONLY public."notificationSettings"
    ADD CONSTRAINT "notificationSettings_userId_fkey" FOREIGN KEY ("userId") REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public."pushSubscriptions"
    ADD CONSTRAINT "pushSubscriptions_userId_fkey" FOREIGN KEY ("userId") REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.requests
    ADD CONSTRAINT "requests_userId_fkey" FOREIGN KEY ("userId") REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.resumables
    ADD CONSTRAINT "resumables_fileId_fkey" FOREIGN KEY ("fileId") REFERENCES public.files(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT "sessions_userId_fkey" FOREIGN KEY ("userId") REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT "tokens_userId_fkey" FOREIGN KEY ("userId") REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT "uploads_userId_fkey" FOREIGN KEY ("userId") REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT "webhooks_userId_fkey" FOREIGN KEY ("userId") REFERENCES public.users(id) ON DELETE CASCADE;
