import { hash } from 'node:crypto'
import { StoreUnavailableError, type StoredPart } from '../backend/backend.ts'

/** What is known of a file that is written in pieces. */
export interface S3Session {
  /** Id of its multipart upload, which is begun with the first whole part. */
  readonly upload?: string
  /** Whole parts that are stored, all from the first on, and their bytes. */
  readonly parts: number
  readonly bytes: number
  /** Of the ETags of these parts: there may be thousands, and parts of an append that was cut could take their place. */
  readonly digest: string
  /** ETag of the object that keeps the bytes behind the last whole part. */
  readonly tail?: string
  /** Offset of a tail that nobody needs any more as soon as this session is kept. */
  readonly outdated?: number
}

const begun: S3Session = { parts: 0, bytes: 0, digest: '' }

/** @throws StoreUnavailableError when it is none of ours: the file was begun in another store, and may go on there */
export function readSession({ offset, session }: StoredPart): S3Session {
  if (offset === 0 && session === '') return begun
  try {
    return JSON.parse(session) as S3Session
  } catch (cause) {
    throw new StoreUnavailableError('what was kept of an unfinished file cannot be read', { cause })
  }
}

/** What cannot be read shall not keep anything from being removed: the store's own lists have it, too. */
export function readableSession(stored: StoredPart): S3Session {
  try {
    return readSession(stored)
  } catch {
    return begun
  }
}

export const storedPart = (offset: number, session: S3Session): StoredPart => ({
  offset,
  session: JSON.stringify(session),
})

/** Some stores quote them in one answer only. */
export const digestWith = (digest: string, etag: string) => hash('sha256', digest + etag.replaceAll('"', ''))

/** How the names of a file's tails begin. No key has a dot. Not with a slash, below which some stores take nothing of an object. */
export const tailsOf = (key: string) => `${key}.tail-`

/** An append never touches the tail that it began with: it may begin there again. */
export const tailOf = (key: string, offset: number) => `${tailsOf(key)}${String(offset)}`
