import type { UploadRecord } from '../domain/records.ts'
import { optionBits } from '../domain/limits/upload-options.ts'
import type { Fields, Line } from './record-lines.ts'

/** Downloads that were running during the export have no claim here, and may have succeeded: they count. */
export const downloadsOf = ({ downloads = 0, claimed = 0 }: Fields<'file'>) => ({
  downloads: downloads + claimed,
  claimed: 0,
})

/** The bytes that some files add to the size of each upload. */
export function sizesOf(files: readonly Line<'file'>[]): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const { fields } of files)
    if (fields.status === 'uploaded')
      sizes.set(fields.uploadId, (sizes.get(fields.uploadId) ?? 0) + fields.fileSize)
  return sizes
}

/** Derived columns are not exported. */
export const uploadOf = (upload: Fields<'upload'>, size: number): UploadRecord => ({
  ...upload,
  maxDownloads: upload.maxDownloads ?? null,
  size: upload.deletedAt === null ? size : 0,
  generation: 0,
  erasedAt: null,
  requestId: upload.requestId ?? null,
  requestTokenHash: upload.requestTokenHash ?? null,
  sender: upload.sender ?? null,
  maxFileSize: upload.maxFileSize ?? null,
  placeUntil: upload.placeUntil ?? null,
  options: optionBits({
    oneShot: upload.oneShot === 1,
    removable: upload.removable === 1,
    stream: upload.stream === 1,
    extendTtl: upload.extendTtl === 1,
    password: upload.passwordHash !== null,
    e2ee: upload.e2ee !== '',
  }),
})
