import type { FileRecord, ResumableRecord, UploadRecord } from '../../domain/records.ts'
import type { Service } from '../service.ts'

/** The progress of a resumable file. A file whose status is not `uploading` accepts no more parts. */
export interface ResumableState {
  readonly file: FileRecord
  /** The bytes that are durably stored: the offset of the next part. */
  readonly received: number
  /** The bytes of the whole file; null while the sender does not know. */
  readonly size: number | null
  /** When the file expires without another part, in milliseconds since the epoch; null once it is complete. */
  readonly expireAt: number | null
}

export const stateOf = (
  file: FileRecord,
  { received, size, expireAt }: Pick<ResumableRecord, 'received' | 'size' | 'expireAt'>,
): ResumableState => ({ file, received, size, expireAt })

/** The state of a complete file. */
export const completeState = (file: FileRecord): ResumableState => ({
  file,
  received: file.fileSize,
  size: file.fileSize,
  expireAt: null,
})

/** When an unfinished file expires if no part follows: at the latest with its upload. */
export function expiryOf({ config, clock }: Pick<Service, 'config' | 'clock'>, upload: UploadRecord): number {
  const expireAt = clock.now() + config.resumableTTL * 1000
  return upload.expireAt === null ? expireAt : Math.min(expireAt, upload.expireAt)
}
