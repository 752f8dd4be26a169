import { ageScheme, type Upload } from '@svc/contract'

/** A file as it was chosen, to recognise it when it is chosen again. */
export interface RememberedFile {
  readonly name: string
  /** Bytes of the file itself. */
  readonly size: number
  /** ms since the epoch. */
  readonly modified: number
}

/** An upload that this browser sent. */
export interface SentUpload {
  readonly id: string
  /** Only of guests: the session of a user authorizes its uploads. */
  readonly uploadToken?: string | undefined
  readonly createdAt: string
  readonly expireAt: string | null
  /** The first files, as many as fit. */
  readonly files: readonly RememberedFile[]
  readonly fileCount: number
  readonly oneShot: boolean
  readonly stream: boolean
  readonly encrypted: boolean
  /** Whether its links have the mark of a manifest that its passphrase proves. */
  readonly manifest?: boolean | undefined
  /** Id of the sender; absent for guests. */
  readonly owner?: string | undefined
  /** Key of encrypted files, if the sender keeps it on this device. */
  readonly key?: string | undefined
}

/** A comparison: ISO dates of one format sort as text. */
export const newestFirst = (a: SentUpload, b: SentUpload): number => (a.createdAt < b.createdAt ? 1 : -1)

/** Maximum characters of the names of an upload. */
const maxNames = 4000

function firstFiles<Item extends { readonly name: string }>(files: readonly Item[]): readonly Item[] {
  let characters = 0
  const end = files.findIndex(({ name }) => (characters += name.length + 40) > maxNames)
  // The first name is kept at any length: it is the title of the entry.
  return end === -1 ? files : files.slice(0, Math.max(1, end))
}

/**
 * The entry of an upload. The server says whose it is: the session may be another than the page shows.
 * @param remember called for the files of the entry only: asking for the facts of each of thousands of files would block the page
 */
export const sentUpload = <Item extends { readonly name: string }>(
  upload: Upload,
  files: readonly Item[],
  remember: (file: Item) => RememberedFile,
): SentUpload => ({
  id: upload.id,
  ...(upload.user === undefined ? { uploadToken: upload.uploadToken } : { owner: upload.user }),
  createdAt: upload.createdAt,
  expireAt: upload.expireAt,
  files: firstFiles(files).map(remember),
  fileCount: files.length,
  oneShot: upload.oneShot,
  stream: upload.stream,
  encrypted: upload.e2ee === ageScheme,
})

const isText = (value: unknown): value is string => typeof value === 'string'
const isOptional = (value: unknown) => value === undefined || isText(value)

function isFile(value: unknown): value is RememberedFile {
  if (typeof value !== 'object' || value === null) return false
  const { name, size, modified } = value as Record<string, unknown>
  return isText(name) && typeof size === 'number' && typeof modified === 'number'
}

function isSentUpload(value: unknown): value is SentUpload {
  if (typeof value !== 'object' || value === null) return false
  const { id, uploadToken, createdAt, expireAt, files, fileCount, owner, key } = value as Record<
    string,
    unknown
  >
  return (
    isText(id) &&
    isText(createdAt) &&
    (expireAt === null || isText(expireAt)) &&
    Array.isArray(files) &&
    files.every(isFile) &&
    typeof fileCount === 'number' &&
    [uploadToken, owner, key].every(isOptional)
  )
}

/** Reads a stored entry; undefined if it is damaged or of another version. */
export function readSentUpload(stored: string): SentUpload | undefined {
  try {
    const value: unknown = JSON.parse(stored)
    return isSentUpload(value) ? value : undefined
  } catch {
    return undefined
  }
}
