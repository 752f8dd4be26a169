import type { User } from '@svc/contract'
import { ref, shallowRef } from 'vue'
import { clearImpersonation } from './impersonation.ts'

/** Who is logged in here; null for guests. */
export const user = shallowRef<User | null>(null)

/** Whether a session ended without a sign-out, and the notice is still to be shown. */
export const sessionExpired = ref(false)

/** The server does not know the session any more. For guests nothing changes. */
export function expireSession(): void {
  if (!user.value) return
  user.value = null
  clearImpersonation()
  sessionExpired.value = true
}
