import type { User } from '@svc/contract'
import { ref, shallowRef } from 'vue'
import { clearImpersonation } from './impersonation.ts'

/** The signed-in user; null for guests. */
export const user = shallowRef<User | null>(null)

/** Whether to show the notice that a session ended without a sign-out. */
export const sessionExpired = ref(false)

/** Handles a session that the server has ended. Does nothing for guests. */
export function expireSession(): void {
  if (!user.value) return
  user.value = null
  clearImpersonation()
  sessionExpired.value = true
}
