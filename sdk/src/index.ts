export type { Access, Credentials } from './access.ts'
export { accessHeaders } from './access.ts'
export { ApiError } from './api-error.ts'
export type {
  AddFileOptions,
  Client,
  ClientOptions,
  DownloadOptions,
  QuickUpload,
  SendOptions,
} from './client.ts'
export { createClient } from './client.ts'
export type { LinkedFile, LinkedUpload, Links, PageLink } from './links.ts'
export { createLinks } from './links.ts'
export type { Progress, Source, StreamSource } from './source.ts'
