import type { User } from '@svc/contract'
import { ref, shallowRef } from 'vue'
import { clearImpersonation } from './impersonation.ts'

/** Who is logged in here; null for guests. */
export const user = shallowRef<User | null>(null)

/** Whether a session ended without its person having ended it, and nobody has taken note of it yet. */
export const sessionExpired = ref(false)

/** The server does not know the session any more. For guests nothing changes. */
export function expireSession(): void {
  if (!user.value) return
  user.value = null
  clearImpersonation()
  sessionExpired.value = true
}
