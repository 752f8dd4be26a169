import { digestWith, type S3Session } from './session.ts'

interface WholePart {
  readonly upload: string | undefined
  /** Counted from 1. */
  readonly number: number
  readonly etag: string
  /** Bytes. */
  readonly size: number
}

/** Parts are stored in any order; only the contiguous ones from the first on count. */
export interface ContiguousParts {
  readonly stored: (part: WholePart) => void
  readonly session: () => S3Session
}

/** @param onGrown called with the new session */
export function contiguousParts(start: S3Session, onGrown: (session: S3Session) => void): ContiguousParts {
  const early = new Map<number, WholePart>()
  let session = start

  const add = ({ upload, number, etag, size }: WholePart) => {
    early.delete(number)
    session = {
      ...session,
      ...(upload !== undefined && { upload }),
      parts: number,
      bytes: session.bytes + size,
      digest: digestWith(session.digest, etag),
    }
  }
  return {
    stored(part) {
      early.set(part.number, part)
      const { parts } = session
      for (let next = early.get(parts + 1); next !== undefined; next = early.get(next.number + 1)) add(next)
      if (session.parts > parts) onGrown(session)
    },
    session: () => session,
  }
}
