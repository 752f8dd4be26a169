import type { User } from '@svc/contract'
import { ref, shallowRef, watch } from 'vue'
import { onResponse } from '../base/responses.ts'
import { defineStore } from '../base/store.ts'
import { expectUser } from './expected-user.ts'
import { endImpersonation, impersonatedID } from './impersonated.ts'

/** The session of the page. `useSession` signs in and out. */
export const useSessionState = defineStore(() => {
  /** The signed-in user; null for guests. */
  const user = shallowRef<User | null>(null)
  watch(user, (now) => expectUser(now?.id ?? null), { flush: 'sync' })
  /** Whether to show the notice that a session ended without a sign-out. */
  const sessionExpired = ref(false)
  /**
   * Id of the user that an admin acts as (docs/protocol.md#authentication); null without impersonation. It belongs to the
   * tab: other tabs and links are not affected.
   */
  const impersonatedUser = shallowRef(impersonatedID())

  const clearImpersonation = () => {
    impersonatedUser.value = null
    endImpersonation()
  }
  /** Handles a session that the server has ended. Does nothing for guests. */
  const expireSession = () => {
    if (!user.value) return
    user.value = null
    clearImpersonation()
    sessionExpired.value = true
  }
  onResponse((reported) => {
    if ('isSessionOver' in reported) expireSession()
  })
  return { user, sessionExpired, impersonatedUser, clearImpersonation, expireSession }
})
