import { shallowRef } from 'vue'
import { writeStored, readStored, tabStorage } from '../base/storage.ts'
import { discardDraft } from '../upload/draft/draft.ts'

const key = 'svc-acting-as'

/**
 * Id of the user that an admin acts as (docs/protocol.md#authentication); null without impersonation. It belongs to the
 * tab: other tabs and links are not affected.
 */
export const impersonatedUser = shallowRef<string | null>(null)

/** Restores the state of this tab after a reload. */
export function restoreImpersonation(): void {
  impersonatedUser.value = readStored(tabStorage, key)
}

export function clearImpersonation(): void {
  impersonatedUser.value = null
  writeStored(tabStorage, key, null)
}

/** Reloads the page, so that data of one user does not stay in memory while it shows another's. */
function reloadAt(hash: string): void {
  discardDraft()
  history.pushState(null, '', hash)
  location.reload()
}

/** Acts as a user in this tab. */
export function impersonate(userID: string): void {
  writeStored(tabStorage, key, userID)
  reloadAt('#/home/uploads')
}

/** Returns to the admin's account, on the page of the impersonated user. */
export function stopImpersonating(): void {
  const userID = impersonatedUser.value ?? ''
  clearImpersonation()
  reloadAt(`#/admin/user?id=${encodeURIComponent(userID)}`)
}
