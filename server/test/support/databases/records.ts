import { randomId } from '../../../src/domain/ids.ts'
import type { FileRecord, UploadRecord } from '../../../src/domain/records.ts'

const id = () => randomId((into) => crypto.getRandomValues(into))

/** An upload without options. */
export const uploadRecord = (given: Partial<UploadRecord> = {}): UploadRecord => ({
  id: id(),
  tokenHash: 'x'.repeat(43),
  ttl: 60,
  extendTtl: 0,
  oneShot: 0,
  maxDownloads: null,
  removable: 0,
  stream: 0,
  login: null,
  passwordHash: null,
  comments: '',
  e2ee: '',
  options: 0,
  address: '127.0.0.1',
  fileCount: 0,
  size: 0,
  userId: null,
  userToken: null,
  createdAt: 1_000,
  expireAt: 61_000,
  deletedAt: null,
  generation: 0,
  erasedAt: null,
  ...given,
})

/** A stored file. */
export const fileRecord = (upload: UploadRecord, given: Partial<FileRecord> = {}): FileRecord => ({
  id: id(),
  uploadId: upload.id,
  position: 0,
  reference: null,
  fileName: 'name.txt',
  fileSize: 5,
  type: 'text/plain',
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
  crc32: 4_294_967_295,
  status: 'uploaded',
  createdAt: 1_000,
  uploadedAt: 2_000,
  instance: null,
  reserved: 0,
  claim: null,
  claimUntil: null,
  sealed: 0,
  brokenDownloads: 0,
  downloads: 0,
  claimed: 0,
  ...given,
})
