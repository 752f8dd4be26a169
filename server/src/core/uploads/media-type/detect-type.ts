import { ageHeadBytes, ageScheme, isAgeHead } from '@svc/contract'
import { notEncrypted } from '../../../domain/errors.ts'
import type { UploadRecord } from '../../../domain/records.ts'
import { sniffType } from './sniff-type.ts'

/** The number of bytes that shows whether a file is encrypted. */
export const minHeadBytes = ageHeadBytes

/**
 * Detects the media type of a file from its first bytes.
 * @throws ServiceError `not_encrypted` for plain bytes in an upload that is marked as encrypted
 */
export async function detectType(upload: UploadRecord, head: Uint8Array): Promise<string> {
  if (upload.e2ee === ageScheme && !isAgeHead(head)) throw notEncrypted(upload.e2ee)
  return sniffType(head)
}
