import { randomId } from '../../domain/ids.ts'
import { unclaimedFile, type FileRecord, type UploadRecord } from '../../domain/records.ts'
import type { Service } from '../service.ts'

type NewFileFields = Pick<FileRecord, 'fileName' | 'reference' | 'fileSize' | 'position'> & {
  readonly status: 'missing' | 'uploading'
}

/** The record of a file that is declared, or that this instance begins to receive. */
export const newFile = (
  { clock, random, instance }: Pick<Service, 'clock' | 'instance' | 'random'>,
  upload: UploadRecord,
  fields: NewFileFields,
): FileRecord => ({
  ...fields,
  id: randomId(random),
  uploadId: upload.id,
  type: '',
  md5: '',
  crc32: 0,
  createdAt: clock.now(),
  uploadedAt: null,
  instance: fields.status === 'uploading' ? instance : null,
  ...unclaimedFile,
})
