import type { Config } from '../../config/config.ts'
import type { DataBackend } from '../../data/backend/backend.ts'
import { isLimited } from '../../domain/limits/download-limit.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { extendExpiry, reachesEnd, type DownloadRequest } from './send-file.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../service.ts'
import { translateDataStoreError } from '../data-store/translate-error.ts'

/** The headers that the store sends with a file. */
export interface PresignedHeaders {
  readonly contentType: string
  readonly contentDisposition: string
  readonly cacheControl: string
}

/**
 * The maximum lifetime of a presigned URL in seconds: long enough to start a download, and for a player to seek.
 */
const maxLifetime = 300

/** Why `DirectDownloads` is enabled but has no effect; null when it works or is disabled. */
export function directDownloadsFault(
  { directDownloads, dataBackend }: Config,
  { presignedURL, noPresignedURL }: DataBackend,
): string | null {
  if (!directDownloads || presignedURL !== undefined) return null
  const why = noPresignedURL ?? `the ${dataBackend.kind} store cannot serve files itself`
  return `DirectDownloads has no effect: ${why}; every download goes through the service`
}

/**
 * Whether the store may serve a file itself. Limited, protected, encrypted and streamed files need the service.
 */
function mayBePresigned({ config, data }: Pick<Service, 'config' | 'data'>, upload: UploadRecord): boolean {
  if (!config.directDownloads || data.presignedURL === undefined) return false
  const { stream, passwordHash, e2ee } = upload
  return !isLimited(upload) && stream === 0 && passwordHash === null && e2ee === ''
}

/**
 * A presigned URL for a file. The URL expires before the upload does. A request counts as a download if its response
 * includes the last byte. The bytes that the store sends are not counted.
 * @returns null when the service must send the file
 * @throws ServiceError `unavailable`
 */
export async function presignedURL(
  service: Base & Metadata & Operations & Transfers,
  upload: UploadRecord,
  file: FileRecord,
  { headers, range, client }: DownloadRequest & { readonly headers: PresignedHeaders },
): Promise<string | null> {
  const { data, clock, activity, dailyStats } = service
  const left = upload.expireAt === null ? Infinity : Math.floor((upload.expireAt - clock.now()) / 1000)
  const expiresIn = Math.min(maxLifetime, left)
  if (!mayBePresigned(service, upload) || data.presignedURL === undefined || expiresIn < 1) return null
  await extendExpiry(service, upload)
  try {
    const address = await data.presignedURL(file.id, { expiresIn, ...headers })
    if (reachesEnd(range, file.fileSize)) dailyStats.downloaded()
    activity.record({ uploadId: upload.id, fileId: file.id, client }, 0, 'direct')
    return address
  } catch (error) {
    throw translateDataStoreError(error)
  }
}
