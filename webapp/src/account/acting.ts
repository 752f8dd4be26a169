import { shallowRef } from 'vue'
import { remember, remembered, session } from '../app/storage.ts'
import { forgetUnsent } from '../upload/unsent.ts'

const key = 'svc-acting-as'

/**
 * Id of the user that an admin acts as (specification §5, rule 5); null when everybody is themselves. It is kept by the
 * tab: other tabs are not touched, and links lead into it for nobody.
 */
export const actingAs = shallowRef<string | null>(null)

/** What this tab was about before the page was loaded anew. */
export function restoreActing(): void {
  actingAs.value = remembered(session, key)
}

export function forgetActing(): void {
  actingAs.value = null
  remember(session, key, null)
}

/** Loads the page anew, so that nothing of one person is left in memory while it shows another's. */
function beginAnew(hash: string): void {
  forgetUnsent()
  history.pushState(null, '', hash)
  location.reload()
}

/** Sees and does everything as this user from now on, in this tab. */
export function actAs(userID: string): void {
  remember(session, key, userID)
  beginAnew('#/home/uploads')
}

/** Back to the own account, at the page of whom one acted as. */
export function stopActing(): void {
  const userID = actingAs.value ?? ''
  forgetActing()
  beginAnew(`#/admin/user?id=${encodeURIComponent(userID)}`)
}
