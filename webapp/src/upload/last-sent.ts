import type { Upload } from '@svc/contract'
import { serverNow } from '../app/server-clock.ts'
import { remember, remembered, session } from '../app/storage.ts'
import { sentLinks, type SentLinks } from './sent-links.ts'

const key = 'svc-last-sent'

interface LastSent extends SentLinks {
  readonly expireAt: string | null
  /** Id of who sent it; absent for guests. */
  readonly owner?: string | undefined
}

/** With a key, which is kept nowhere but in the memory of this page. */
let keyed: LastSent | undefined

/**
 * Keeps the links of what was just sent for this tab: who reloads the page, or goes to another one, would lose the only
 * way to it. Those of an encrypted upload stay until the page is loaded anew.
 */
export function keepLastSent(upload: Upload, linkKey: string | undefined, owner: string | undefined): void {
  // Nothing of a stream is there to be come back to.
  if (upload.stream) return
  const sent: LastSent = { ...sentLinks(upload, linkKey), expireAt: upload.expireAt, owner }
  keyed = linkKey === undefined ? undefined : sent
  remember(session, key, linkKey === undefined ? JSON.stringify(sent) : null)
}

/** What was sent last, unless it has ended or another person sent it. */
export function lastSent(user: string | undefined): SentLinks | undefined {
  const kept = remembered(session, key)
  const sent = keyed ?? (kept === null ? undefined : (JSON.parse(kept) as LastSent))
  if (sent === undefined) return undefined
  const { link, ownLink, expireAt, owner } = sent
  const isOver = expireAt !== null && Date.parse(expireAt) <= serverNow()
  return isOver || (owner !== undefined && owner !== user) ? undefined : { link, ownLink }
}

export function forgetLastSent(): void {
  keyed = undefined
  remember(session, key, null)
}
