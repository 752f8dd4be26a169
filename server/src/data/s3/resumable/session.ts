import { hash } from 'node:crypto'
import { StoreUnavailableError, type ResumePoint } from '../../backend/backend.ts'

/** The state of a resumable file, stored as JSON. */
export interface S3Session {
  /** Id of its multipart upload, which starts with the first whole part. */
  readonly upload?: string
  /** The number of contiguous whole parts, and their bytes. */
  readonly parts: number
  readonly bytes: number
  /** A digest of the ETags of these parts, of which there may be thousands: an aborted append could replace parts. */
  readonly digest: string
  /** ETag of the tail: the object with the bytes after the last whole part. */
  readonly tail?: string
  /** Offset of a tail that is no longer needed once this session is committed. */
  readonly outdated?: number
}

const emptySession: S3Session = { parts: 0, bytes: 0, digest: '' }

/** @throws StoreUnavailableError for a session of another backend, with which the upload may continue */
export function readSession({ offset, session }: ResumePoint): S3Session {
  if (offset === 0 && session === '') return emptySession
  try {
    return JSON.parse(session) as S3Session
  } catch (cause) {
    throw new StoreUnavailableError('the state of an unfinished file cannot be read', { cause })
  }
}

/** An unreadable session must not prevent removal: the listings of the store have its objects, too. */
export function readableSession(stored: ResumePoint): S3Session {
  try {
    return readSession(stored)
  } catch {
    return emptySession
  }
}

export const resumePoint = (offset: number, session: S3Session): ResumePoint => ({
  offset,
  session: JSON.stringify(session),
})

/** Without quotes, because some stores quote ETags in some responses only. */
export const digestWith = (digest: string, etag: string) => hash('sha256', digest + etag.replaceAll('"', ''))

/** The prefix of the tails of a file. Keys have no dot. Not a slash, because some stores allow no names below an object. */
export const tailPrefix = (key: string) => `${key}.tail-`

/** An append never replaces the tail that it starts with, because a retry may start there again. */
export const tailName = (key: string, offset: number) => `${tailPrefix(key)}${String(offset)}`
