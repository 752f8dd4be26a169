import type { FileRecord, ResumableRecord, UploadRecord } from '../../domain/records.ts'
import type { Service } from '../service.ts'

/** How far a file is that comes in pieces. A file whose status is not `uploading` takes no more of them. */
export interface ResumableState {
  readonly file: FileRecord
  /** Bytes from the first on that are safely stored: where the next piece begins. */
  readonly received: number
  /** Bytes that the whole file has; null while its sender does not know. */
  readonly size: number | null
  /** When it is given up without another piece, in milliseconds since the epoch; null once it is whole. */
  readonly expireAt: number | null
}

export const stateOf = (
  file: FileRecord,
  { received, size, expireAt }: Pick<ResumableRecord, 'received' | 'size' | 'expireAt'>,
): ResumableState => ({ file, received, size, expireAt })

/** A file with all its bytes. */
export const wholeState = (file: FileRecord): ResumableState => ({
  file,
  received: file.fileSize,
  size: file.fileSize,
  expireAt: null,
})

/** How long an unfinished file waits for its next piece from now on: never beyond the end of its upload. */
export function expiryOf({ config, clock }: Pick<Service, 'config' | 'clock'>, upload: UploadRecord): number {
  const expireAt = clock.now() + config.resumableTTL * 1000
  return upload.expireAt === null ? expireAt : Math.min(expireAt, upload.expireAt)
}
