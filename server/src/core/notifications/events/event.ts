import { createHash } from 'node:crypto'
import { base62, eventKinds, limits, type EventBody, type EventKind } from '@svc/contract'

/** Something that an account, or the webhook of the server, is notified of. */
export interface Event {
  /** The account; null for an upload without an owner. */
  readonly userId: string | null
  readonly body: EventBody
  /** Identifies an event that several instances may notice, or one instance several times. It is published once. */
  readonly once?: string
}

/** The kinds of events in a row, separated by spaces. */
export const serializeKinds = (kinds: readonly EventKind[]): string => kinds.join(' ')

/** The kinds of a row. A kind of a later version stays, so that a row keeps it. */
export const parseKinds = (stored: string): EventKind[] =>
  stored === '' ? [] : (stored.split(' ') as EventKind[])

const knownKinds: ReadonlySet<string> = new Set(eventKinds)

export const isKnownKind = (kind: string): kind is EventKind => knownKinds.has(kind)

/** The id of a message that is the same in every instance. */
export function idOfOnce(once: string, target: string): string {
  const digest = createHash('sha256').update(`${target}\0${once}`).digest()
  return Array.from(digest.subarray(0, limits.idLength), (byte) => base62.charAt(byte % base62.length)).join(
    '',
  )
}
