import type { Upload } from '@svc/contract'
import { serverNow } from '../../base/server-clock.ts'
import { writeStored, readStored, session } from '../../base/storage.ts'
import { shareLinks, type ShareLinks } from './share-links.ts'

const key = 'svc-last-sent'

interface LastUpload extends ShareLinks {
  readonly expireAt: string | null
  /** Id of who sent it; absent for guests. */
  readonly owner?: string | undefined
}

/** With a key, which is kept nowhere but in the memory of this page. */
let keyed: LastUpload | undefined

/**
 * Keeps the links of what was just sent for this tab: who reloads the page, or goes to another one, would lose the only
 * way to it. Those of an encrypted upload stay until the page is loaded anew.
 */
export function saveLastUpload(upload: Upload, linkKey: string | undefined, owner: string | undefined): void {
  // Nothing of a stream is there to be come back to.
  if (upload.stream) return
  const sent: LastUpload = { ...shareLinks(upload, linkKey), expireAt: upload.expireAt, owner }
  keyed = linkKey === undefined ? undefined : sent
  writeStored(session, key, linkKey === undefined ? JSON.stringify(sent) : null)
}

/** What was sent last, unless it has ended or another person sent it. */
export function lastUpload(user: string | undefined): ShareLinks | undefined {
  const kept = readStored(session, key)
  const sent = keyed ?? (kept === null ? undefined : (JSON.parse(kept) as LastUpload))
  if (sent === undefined) return undefined
  const { link, adminLink, expireAt, owner } = sent
  const isOver = expireAt !== null && Date.parse(expireAt) <= serverNow()
  return isOver || (owner !== undefined && owner !== user) ? undefined : { link, adminLink }
}

export function clearLastUpload(): void {
  keyed = undefined
  writeStored(session, key, null)
}
