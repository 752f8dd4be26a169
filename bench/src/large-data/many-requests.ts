import {
  exportLine,
  generatedFileId,
  generatedUploadId,
  generatedUser,
  generatedUserFields,
} from '../../../scripts/many-uploads.ts'
import type { Fields } from '../../../server/src/export/record-lines.ts'

/** The numbers of rows of a generated database with upload requests. */
export interface ManyRequests {
  /** Users, who share the requests equally. */
  readonly users: number
  readonly requests: number
  /** Received uploads, each with one file. The first request has a tenth of them, the others share the rest. */
  readonly uploads: number
  /** Creation time of the last upload, in ms. */
  readonly now: number
}

const day = 86_400_000
const fileSize = 1_024
const tokenHash = 't'.repeat(43)

/** An export of a service with upload requests, line by line. The first request is the oldest one of the first user. */
export function* manyRequests(many: ManyRequests): Generator<string> {
  const { users, requests, uploads, now } = many
  const received = countsOfReceived(many)
  yield exportLine('export', { version: 2 })
  for (let n = 0; n < users; n += 1) yield exportLine('user', generatedUserFields(n, { users, now }))
  for (let n = 0; n < requests; n += 1) yield exportLine('request', requestOf(n, received.get(n) ?? 0, many))
  for (let n = 0; n < uploads; n += 1) {
    const upload = uploadOf(n, many)
    yield exportLine('upload', upload)
    yield exportLine('file', fileOf(n, upload))
  }
  yield exportLine('end', { records: users + requests + 2 * uploads })
}

/** The id of a request. */
export const generatedRequest = (n: number): string => `r${String(n).padStart(15, '0')}`

/** The number of the request that received an upload. */
const receiverOf = (n: number, { requests }: ManyRequests): number =>
  n % 10 === 0 ? 0 : 1 + (n % (requests - 1))

function countsOfReceived(many: ManyRequests): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (let n = 0; n < many.uploads; n += 1) {
    const receiver = receiverOf(n, many)
    counts.set(receiver, (counts.get(receiver) ?? 0) + 1)
  }
  return counts
}

const ownerOf = (request: number, { requests, users }: ManyRequests): string =>
  generatedUser(Math.floor((request * users) / requests))

function requestOf(n: number, uploads: number, many: ManyRequests): Fields<'request'> {
  return {
    id: generatedRequest(n),
    userId: ownerOf(n, many),
    tokenHash,
    title: `Photos of trip ${String(n)}`,
    message: 'Please send all that you have.',
    createdAt: many.now - 40 * day + n,
    expireAt: null,
    closedAt: null,
    maxFiles: -1,
    maxFileSize: -1,
    maxSize: -1,
    extensions: '',
    oneSender: 0,
    senderName: 'optional',
    passwordHash: null,
    recipient: '',
    uploadTtl: -1,
    afterEnd: 'keep',
    uploads,
    seen: Math.floor(uploads / 2),
    files: uploads,
    size: uploads * fileSize,
  }
}

/** Shuffles the numbers below `count`, so that dates do not follow the ids: a step without a common factor reaches each once. */
const shuffledIndex = (n: number, count: number): number => (n * 7_919 + 13) % count

function uploadOf(n: number, many: ManyRequests): Fields<'upload'> {
  const receiver = receiverOf(n, many)
  return {
    id: generatedUploadId(n),
    userId: ownerOf(receiver, many),
    userToken: null,
    tokenHash,
    ttl: -1,
    extendTtl: 0,
    oneShot: 0,
    removable: 0,
    stream: 0,
    login: null,
    passwordHash: null,
    comments: n % 7 === 0 ? 'as agreed on the phone' : '',
    e2ee: '',
    address: '192.0.2.1',
    fileCount: 1,
    createdAt: many.now - 20 * day + Math.floor((shuffledIndex(n, many.uploads) / many.uploads) * 20 * day),
    expireAt: null,
    deletedAt: null,
    requestId: generatedRequest(receiver),
    requestTokenHash: tokenHash,
    sender: `Sender ${String(n % 500)}`,
    maxFileSize: -1,
  }
}

function fileOf(n: number, { id, createdAt }: Fields<'upload'>): Fields<'file'> {
  return {
    id: generatedFileId(n),
    uploadId: id,
    position: 0,
    reference: null,
    fileName: `photo ${String(n)}.jpg`,
    fileSize,
    type: 'image/jpeg',
    md5: 'd41d8cd98f00b204e9800998ecf8427e',
    crc32: 0,
    status: 'uploaded',
    createdAt,
    uploadedAt: createdAt + 1_000,
    instance: null,
    reserved: 0,
    claim: null,
    claimUntil: null,
    brokenDownloads: 0,
  }
}
