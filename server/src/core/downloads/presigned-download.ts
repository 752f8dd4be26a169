import type { Config } from '../../config/config.ts'
import type { ByteRange, DataBackend } from '../../data/backend/backend.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { prolong, reachesEnd } from './send-file.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../service.ts'
import { storeErrorResponse } from '../data-store/store-errors.ts'

/** What the store is to say about a file. */
export interface PresignedHeaders {
  readonly contentType: string
  readonly contentDisposition: string
  readonly cacheControl: string
}

/** Seconds that an address is good for: long enough to begin a download, and for the seeking of a player. */
const longestAddress = 300

/** Why `DirectDownloads` is on and nothing comes of it; null when something does, or nothing is to. */
export function directDownloadsFault(
  { directDownloads, dataBackend }: Config,
  { directAddress }: DataBackend,
): string | null {
  if (!directDownloads || directAddress !== undefined) return null
  const why =
    dataBackend.kind === 'gcs'
      ? 'these credentials of Google Cloud Storage cannot sign, only the key file of a service account can (KeyFile)'
      : `the ${dataBackend.kind} store cannot give files away itself`
  return `DirectDownloads has no effect: ${why}; every download goes through the service`
}

/**
 * Whether the store may give a file away itself. What can be had only once, or only with a secret, goes through the
 * service, which sees to that; so does what is encrypted, and a live stream.
 */
function mayGoDirect({ config, data }: Pick<Service, 'config' | 'data'>, upload: UploadRecord): boolean {
  if (!config.directDownloads || data.directAddress === undefined) return false
  const { oneShot, stream, passwordHash, e2ee } = upload
  return oneShot === 0 && stream === 0 && passwordHash === null && e2ee === ''
}

/**
 * An address at which the store gives the file away for a short while, never past the end of its upload.
 * It counts as a download where the answer would have had the last byte; what the store sends, nobody counts.
 * @returns null when the service has to send it
 * @throws ServiceError `unavailable`
 */
export async function presignedURL(
  service: Base & Metadata & Operations & Transfers,
  upload: UploadRecord,
  file: FileRecord,
  { headers, range }: { readonly headers: PresignedHeaders; readonly range: ByteRange },
): Promise<string | null> {
  const { data, clock, dailyCounters: daily } = service
  const left = upload.expireAt === null ? Infinity : Math.floor((upload.expireAt - clock.now()) / 1000)
  const expiresIn = Math.min(longestAddress, left)
  if (!mayGoDirect(service, upload) || data.directAddress === undefined || expiresIn < 1) return null
  await prolong(service, upload)
  try {
    const address = await data.directAddress(file.id, { expiresIn, ...headers })
    if (reachesEnd(range, file.fileSize)) daily.downloaded()
    return address
  } catch (error) {
    throw storeErrorResponse(error)
  }
}
