import { ageHeadBytes, ageScheme, isAgeHead } from '@svc/contract'
import { notEncrypted } from '../../../domain/errors.ts'
import type { UploadRecord } from '../../../domain/records.ts'
import { sniffType, type HeadOptions } from './sniff-type.ts'

/** The least number of bytes from which the type of a file can be detected: in encrypted uploads, all that show the encryption. */
export const minHeadBytes = ({ e2ee }: Pick<UploadRecord, 'e2ee'>): number =>
  e2ee === ageScheme ? ageHeadBytes : 1

/**
 * Detects the media type of a file from its first bytes.
 * @param options as for `sniffType`
 * @throws ServiceError `not_encrypted` for plain bytes in an upload that is marked as encrypted
 */
export async function detectType(
  upload: UploadRecord,
  head: Uint8Array,
  options: HeadOptions = {},
): Promise<string> {
  if (upload.e2ee === ageScheme && !isAgeHead(head)) throw notEncrypted(upload.e2ee)
  return sniffType(head, options)
}
