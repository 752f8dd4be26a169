import { effectiveLimits } from '@svc/contract'
import { fileTooBig } from '../../domain/errors.ts'
import type { UploadRecord, UserRecord } from '../../domain/records.ts'
import type { Service } from '../service.ts'

/**
 * The maximum size of a file, by the limits of the server, of the owner of its upload, and of the request that receives it.
 * @returns bytes; -1 means unlimited
 */
export function maxFileSizeOf(
  { config }: Pick<Service, 'config'>,
  owner: UserRecord | null,
  { maxFileSize: ofRequest }: Pick<UploadRecord, 'maxFileSize'>,
): number {
  const { maxFileSize } = effectiveLimits(owner, config)
  if (ofRequest === null || ofRequest < 0) return maxFileSize
  return maxFileSize < 0 ? ofRequest : Math.min(maxFileSize, ofRequest)
}

/**
 * Checks the size of a file that its sender states. `maxFileSizeOf` limits the bytes that arrive.
 * @param size bytes
 * @throws ServiceError `file_too_big`
 */
export function requireFileSize(
  service: Pick<Service, 'config'>,
  owner: UserRecord | null,
  upload: Pick<UploadRecord, 'maxFileSize'>,
  size: number,
): void {
  const maxFileSize = maxFileSizeOf(service, owner, upload)
  if (maxFileSize >= 0 && size > maxFileSize) throw fileTooBig(maxFileSize)
}
