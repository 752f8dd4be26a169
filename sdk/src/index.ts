// What the contract says of the wire, as far as callers meet it.
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
  DayFigures,
  DaysAskedFor,
  ErrorCode,
  File,
  FileDeclaration,
  FileStatus,
  LocalLogin,
  NewUser,
  NewUserToken,
  Page,
  ProfileUpdate,
  Provider,
  QuickUploadQuery,
  ServerStats,
  Session,
  ShareX,
  TokenListing,
  TokenScope,
  Upload,
  UploadListing,
  UploadOptions,
  User,
  UserListing,
  UserSearch,
  UserStats,
  UserToken,
  UserUpdate,
  Version,
} from '@svc/contract'
export { ageScheme, defaultUploadLogin, errorCodes, isUserToken, limits, unlimited } from '@svc/contract'

// A client, and its parts for those who want less of it.
export type { Access, Credentials } from './access.ts'
export { accessHeaders } from './access.ts'
export type { ApiErrorDetails } from './api-error.ts'
export { ApiError } from './api-error.ts'
export { unreadable } from './unreadable.ts'
export { isPassing } from './back-off.ts'
export type { Client } from './client.ts'
export { createClient } from './client.ts'
export type { ClientOptions, Connection, DownloadOptions, SendOptions } from './connection.ts'
export { createConnection } from './connection.ts'
export { accountCalls } from './account.ts'
export { adminCalls } from './admin.ts'
export { loginCalls } from './login.ts'
export { serviceCalls } from './service.ts'
export { uploadCalls } from './uploads.ts'
export type { LinkedFile, LinkedUpload, Links, PageLink } from './links.ts'
export { createLinks } from './links.ts'
export type { OutsideProvider } from './login.ts'
export type { PiecesOptions, ResumeMemory } from './pieces/pieces-of.ts'
export type { Progress, SeekableSource, Source, StreamSource } from './source.ts'
export type { AddFileOptions, QuickUpload } from './uploads.ts'

// Many files at once.
export type { QueueProgress, QueueTarget, UploadQueue, UploadQueueOptions } from './queue/upload-queue.ts'
export { createUploadQueue, declarationsOf } from './queue/upload-queue.ts'
export type { QueuedFile, Transfer, TransferState } from './queue/transfer.ts'
export { isMissing, isPaused, isUnfinished } from './queue/transfer.ts'
export { createTaskQueue } from './queue/task-queue.ts'
export type { Totals } from './queue/totals.ts'
export { totalsOf } from './queue/totals.ts'

// The bytes of a file.
export type { DownloadProgress, FileBytesOptions, Md5Hasher } from './download/file-bytes.ts'
export { fileBytes } from './download/file-bytes.ts'
export type { DownloadedFile, Giving } from './download/stored-file.ts'
export { checkAnswer, isResumable, rangeFrom } from './download/stored-file.ts'
