import type { Upload } from '@svc/contract'
import { client } from '../app/client.ts'
import { serverNow } from '../app/server-clock.ts'
import { remember, remembered, session } from '../app/storage.ts'
import { keepUploadToken } from '../download/upload-token.ts'
import { withKey } from '../encryption/link-key.ts'

const key = 'svc-last-sent'

interface LastSent {
  /** To share, with the key of an encrypted upload. */
  readonly link: string
  readonly expireAt: string | null
  /** Id of who sent it; absent for guests. */
  readonly owner?: string | undefined
}

/** With a key, which is kept nowhere but in the memory of this page. */
let keyed: LastSent | undefined

/**
 * Keeps the link of what was just sent for this tab: who reloads the page, or goes to another one, would lose the only
 * way to it. That of an encrypted upload stays until the page is loaded anew. In this tab its page also lets the files be
 * removed.
 */
export function keepLastSent(upload: Upload, linkKey: string | undefined, owner: string | undefined): void {
  // Nothing of a stream is there to be come back to.
  if (upload.stream) return
  const { id, uploadToken, expireAt } = upload
  if (uploadToken !== undefined) keepUploadToken(id, uploadToken)
  const sent: LastSent = { link: withKey(client.pageURL(upload), linkKey), expireAt, owner }
  keyed = linkKey === undefined ? undefined : sent
  remember(session, key, linkKey === undefined ? JSON.stringify(sent) : null)
}

/** The link of what was sent last, unless it has ended or another person sent it. */
export function lastSent(user: string | undefined): string | undefined {
  const kept = remembered(session, key)
  const sent = keyed ?? (kept === null ? undefined : (JSON.parse(kept) as LastSent))
  if (sent === undefined) return undefined
  const { link, expireAt, owner } = sent
  const isOver = expireAt !== null && Date.parse(expireAt) <= serverNow()
  return isOver || (owner !== undefined && owner !== user) ? undefined : link
}

export function forgetLastSent(): void {
  keyed = undefined
  remember(session, key, null)
}
