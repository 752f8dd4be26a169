import type { Upload } from '@svc/contract'
import { serverNow } from '../../base/server-clock.ts'
import { writeStored, readStored, tabStorage } from '../../base/storage.ts'
import { shareLinks, type ShareLinks } from './share-links.ts'

const key = 'svc-last-sent'

interface LastUpload extends ShareLinks {
  readonly expireAt: string | null
  /** Id of the sender; absent for guests. */
  readonly owner?: string | undefined
}

/** The last encrypted upload. Its key is only in the memory of the page. */
let keyed: LastUpload | undefined

/**
 * Stores the links of the last upload for this tab, because a reload would lose the only link to it. Those of an encrypted
 * upload last until a reload.
 */
export function saveLastUpload(upload: Upload, linkKey: string | undefined, owner: string | undefined): void {
  // A stream has no files to return to.
  if (upload.stream) return
  const sent: LastUpload = { ...shareLinks(upload, linkKey), expireAt: upload.expireAt, owner }
  keyed = linkKey === undefined ? undefined : sent
  writeStored(tabStorage, key, linkKey === undefined ? JSON.stringify(sent) : null)
}

/** The last upload, unless it has expired or another user sent it. */
export function lastUpload(user: string | undefined): ShareLinks | undefined {
  const kept = readStored(tabStorage, key)
  const sent = keyed ?? (kept === null ? undefined : (JSON.parse(kept) as LastUpload))
  if (sent === undefined) return undefined
  const { link, adminLink, expireAt, owner } = sent
  const isOver = expireAt !== null && Date.parse(expireAt) <= serverNow()
  return isOver || (owner !== undefined && owner !== user) ? undefined : { link, adminLink }
}

export function clearLastUpload(): void {
  keyed = undefined
  writeStored(tabStorage, key, null)
}
