/** The numbers of rows of a generated database. */
export interface ManyUploads {
  /** Uploads, removed ones included; each has one file. */
  readonly uploads: number
  /** Users; the first has a tenth of the uploads, the others share a tenth. */
  readonly users: number
  /** Creation time of the last upload, in ms; the others were created before it. */
  readonly now: number
  /** Number of the first upload; 0 by default. Another export may have those before it. */
  readonly first?: number
}

/** One of this many uploads is removed and its file deleted. */
const removedEvery = 4
const day = 86_400_000
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * An export (docs/admin.md) of a busy service, line by line: `svcd import` makes a database of it. The same numbers
 * give the same lines. Ids of uploads ascend, as they do in an export; dates, sizes and owners do not follow them.
 */
export function* manyUploads(many: ManyUploads): Generator<string> {
  yield exportLine('export', { version: 1 })
  for (let n = 0; n < many.users; n += 1) yield exportLine('user', generatedUserFields(n, many))
  const first = many.first ?? 0
  for (let n = first; n < first + many.uploads; n += 1) {
    const upload = uploadOf(n, many)
    yield exportLine('upload', upload)
    yield exportLine('file', fileOf(n, upload))
  }
  yield exportLine('end', { records: many.users + 2 * many.uploads })
}

/** Ids of the stored files of an owner in a generated database; null means uploads without an owner. */
export function* generatedFiles(many: ManyUploads, owner: string | null): Generator<string> {
  const first = many.first ?? 0
  for (let n = first; n < first + many.uploads; n += 1)
    if (ownerOf(n, many.users) === owner && n % removedEvery !== 1) yield generatedFileId(n)
}

/** The number of an upload, with its digits reversed. */
function digitsOf(n: number): string {
  let digits = ''
  for (let left = n; digits.length < 15; left = Math.floor(left / 62)) digits += base62.charAt(left % 62)
  return digits
}

export const generatedUploadId = (n: number): string => `u${Array.from(digitsOf(n)).reverse().join('')}`

/** In the order of its uploads, the ids of their files are as scattered as random ones. */
export const generatedFileId = (n: number): string => `${digitsOf(n)}f`

export const generatedUser = (n: number): string => `local:user${String(n)}`

/** A line of an export. */
export const exportLine = (kind: string, fields: object): string => `${JSON.stringify({ kind, ...fields })}\n`

/** The fields of a user in an export. */
export function generatedUserFields(n: number, { users, now }: Pick<ManyUploads, 'now' | 'users'>) {
  const login = `user${String(n)}`
  return {
    id: generatedUser(n),
    provider: 'local',
    issuer: null,
    login,
    name: `User ${String(n)}`,
    email: `${login}@example.org`,
    passwordHash: null,
    admin: n === users - 1 ? 1 : 0,
    maxFileSize: 0,
    maxUserSize: 0,
    maxTTL: 0,
    theme: '',
    language: '',
    createdAt: now - 400 * day + n,
  }
}

/** Shuffles the numbers below `count`: a step without a common factor reaches each of them once. */
const shuffledIndex = (n: number, count: number): number => (n * 7_919 + 13) % count

function ownerOf(n: number, users: number): string | null {
  if (users === 0 || n % 10 > 1) return null
  return generatedUser(n % 10 === 0 ? 0 : n % users)
}

/** Few of thousands of uploads have the rarer options. */
function uploadOf(n: number, { uploads, users, now }: ManyUploads) {
  const createdAt = now - 20 * day + Math.floor((shuffledIndex(n, uploads) / uploads) * 20 * day)
  const isRemoved = n % removedEvery === 1
  return {
    id: generatedUploadId(n),
    userId: ownerOf(n, users),
    userToken: null,
    tokenHash: 't'.repeat(43),
    ttl: 30 * 86_400,
    extendTtl: n % 1_000 === 7 ? 1 : 0,
    oneShot: n % 5 === 0 ? 1 : 0,
    removable: n % 3 === 0 ? 1 : 0,
    stream: n % 100_000 === 12 ? 1 : 0,
    login: null,
    passwordHash: null,
    comments: n % 7 === 0 ? 'as agreed on the phone' : '',
    e2ee: n % 10_000 === 16 ? 'age' : '',
    address: '192.0.2.1',
    fileCount: isRemoved ? 0 : 1,
    createdAt,
    expireAt: createdAt + 30 * day,
    deletedAt: isRemoved ? createdAt + day : null,
  }
}

function fileOf(n: number, upload: ReturnType<typeof uploadOf>) {
  return {
    id: generatedFileId(n),
    uploadId: upload.id,
    position: 0,
    reference: null,
    fileName: `photo ${String(n)}.jpg`,
    fileSize: (n * 7_919) % 5_000_000,
    type: 'image/jpeg',
    md5: 'd41d8cd98f00b204e9800998ecf8427e',
    crc32: 0,
    status: upload.deletedAt === null ? 'uploaded' : 'deleted',
    createdAt: upload.createdAt,
    uploadedAt: upload.createdAt + 1_000,
    instance: null,
    reserved: 0,
    claim: null,
    claimUntil: null,
    sealed: 0,
    brokenDownloads: 0,
  }
}
