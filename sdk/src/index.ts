// Types of the contract that callers use.
export type {
  CliLoginApplicant,
  CliLoginApproval,
  CliLoginApproved,
  CliLoginCode,
  CliLoginPoll,
  CliLoginState,
  CliLoginRequest,
  CliLoginStart,
  Configuration,
  DailyStats,
  DayStats,
  DailyStatsQuery,
  Delivery,
  DeliveryListing,
  Download,
  DownloadListing,
  ErrorCode,
  EventBody,
  EventKind,
  File,
  FileDeclaration,
  FileStatus,
  LinkMail,
  LinkMailResult,
  LocalLogin,
  NewUser,
  NewUploadRequest,
  NewUserToken,
  OpenUploadRequest,
  NewPushSubscription,
  NewWebhook,
  NotificationSettings,
  NotificationSettingsUpdate,
  Page,
  ProfileUpdate,
  Provider,
  PushSettings,
  PushSubscription,
  QuickUploadQuery,
  ReceivedListing,
  RequestListing,
  SenderUploadOptions,
  ServerStats,
  Session,
  ShareX,
  TokenListing,
  TokenScope,
  Upload,
  UploadEvent,
  UploadListing,
  UploadOptions,
  UploadRequest,
  UploadRequestUpdate,
  User,
  UserListing,
  UserSearch,
  UserStats,
  UserToken,
  UserUpdate,
  Version,
  Webhook,
  WebhookUpdate,
} from '@svc/contract'
export { ageScheme, defaultUploadLogin, errorCodes, isUserToken, limits, unlimited } from '@svc/contract'

// A client, and its parts for smaller bundles.
export type { Access, Credentials } from './http/access.ts'
export { accessHeaders } from './http/access.ts'
export type { ApiErrorDetails, ResponseText } from './errors/api-error.ts'
export { ApiError, responseError } from './errors/api-error.ts'
export { unreadableFileError } from './errors/unreadable-file-error.ts'
export type { RetryPolicy } from './retry/retry-policy.ts'
export { isTransient, waitBeforeRetry, withRetries } from './retry/retry-policy.ts'
export type { Client } from './api/client.ts'
export { createClient } from './api/client.ts'
export type { ClientOptions, Connection, DownloadOptions, SendOptions } from './http/connection.ts'
export { createConnection } from './http/connection.ts'
export { plikNames } from './http/plik-names.ts'
export { accountCalls } from './api/account.ts'
export { adminCalls } from './api/admin.ts'
export { uploadRequestCalls } from './api/upload-requests.ts'
export { loginCalls } from './api/login.ts'
export type { EventStreamOptions, ReceivedEvent, UploadEventOptions } from './api/event-stream.ts'
export { eventCalls } from './api/events.ts'
export { notificationCalls } from './api/notifications.ts'
export { serviceCalls } from './api/service.ts'
export { uploadCalls } from './api/uploads.ts'
export type { LinkedFile, LinkedUpload, Links, PageLink } from './api/links.ts'
export { createLinks } from './api/links.ts'
export type { IdentityProvider } from './api/login.ts'
export type { ResumableOptions, ResumeMemory } from './resumable/resumable-file.ts'
export type { Progress, SeekableSource, Source, StreamSource } from './source/source.ts'
export type { AddFileOptions, QuickUpload } from './api/uploads.ts'

// Uploads of many files.
export type { QueueProgress, QueueTarget, UploadQueue, UploadQueueOptions } from './queue/upload-queue.ts'
export { createUploadQueue, declarationsOf } from './queue/upload-queue.ts'
export type { UploadRef } from './queue/file-slot.ts'
export type { QueuedFile, Transfer, TransferState } from './queue/transfer.ts'
export { isIncomplete, isPaused, isUnfinished } from './queue/transfer.ts'
export type { ManifestToSend } from './queue/put-manifest.ts'
export { putManifest } from './queue/put-manifest.ts'
export { createTaskQueue } from './queue/task-queue.ts'
export type { Totals } from './queue/totals.ts'
export { totalsOf } from './queue/totals.ts'

// Downloads.
export type {
  BodyReader,
  DownloadProgress,
  FileBatchesOptions,
  FileBytesOptions,
  Md5Hasher,
} from './download/file-bytes.ts'
export { fileBatches, fileBytes } from './download/file-bytes.ts'
export type { DownloadedFile, DownloadRules } from './download/stored-file.ts'
export { isResumable } from './download/stored-file.ts'
