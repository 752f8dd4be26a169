import type { LocalLogin, User } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { computed, readonly, ref } from 'vue'
import { api, baseURL, xsrfToken } from '../api/api.ts'
import { onResponse } from '../base/responses.ts'
import { expectUser } from '../session/expected-user.ts'
import { listen } from '../base/browser/listen.ts'
import { onVisible } from '../base/browser/on-visible.ts'
import { deviceStorage, readStored, removeStored, tabStorage, writeStored } from '../base/browser/storage.ts'
import { defineStore } from '../base/store.ts'
import { useDraft } from '../upload/draft/draft.ts'
import { useSessionState } from '../session/session.ts'
import { pushIDKey } from './push-id.ts'

/** The browser keeps no cookies for this page, so signing in is impossible. */
const noCookies = () => new ApiError(0, 'no_cookies', 'the browser did not keep the session')

const isOver = (error: unknown) =>
  error instanceof ApiError && ['invalid_session', 'login_required'].includes(error.code)

/** Push messages end with the session: the next user of the device must not see them. */
async function endPush(): Promise<void> {
  if (readStored(deviceStorage, pushIDKey) === null) return
  try {
    await (await import('./push-device.ts')).endPush()
  } catch {
    // Signing out is more important. The account lists its devices.
  }
}

/** Where the browser keeps the id of the user who has signed in last: its change informs the other tabs. */
const userKey = `svc-user ${new URL(baseURL).pathname}`

/** The session of the page and its user, shared by all components. */
export const useSession = defineStore(() => {
  const state = useSessionState()
  const { user, impersonatedUser, sessionExpired, clearImpersonation } = state
  const { discardDraft } = useDraft()
  const loading = ref(false)
  /** The request for the user at the start; undefined when it must be repeated. */
  let request: Promise<void> | undefined
  /** The XSRF cookie of the session whose user was requested. */
  let requestedToken: string | undefined

  /** Shows who has signed in, to the other tabs, too. */
  function show(now: User | null): void {
    user.value = now
    if (now !== null) sessionExpired.value = false
    // A guest who stays one changes no user: from now on it is known, too.
    expectUser(now?.id ?? null)
    writeStored(deviceStorage, userKey, now?.id ?? null)
  }

  /** The impersonated user is deleted, or the user of the session is no longer an admin. */
  const cannotImpersonate = (error: unknown) =>
    impersonatedUser.value !== null &&
    error instanceof ApiError &&
    ['user_not_found', 'not_allowed'].includes(error.code)

  async function requestUser(): Promise<User> {
    try {
      return await api.me()
    } catch (error) {
      if (!cannotImpersonate(error)) throw error
      clearImpersonation()
      return api.me()
    }
  }

  async function fetchUser(): Promise<User | null> {
    requestedToken = xsrfToken()
    if (requestedToken === undefined) clearImpersonation()
    show(requestedToken === undefined ? null : await requestUser())
    return user.value
  }

  /** A refusal means a guest. Without a response, the user is a guest until the next attempt. */
  async function load(): Promise<void> {
    loading.value = true
    try {
      await fetchUser()
    } catch (error) {
      user.value = null
      if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) request = undefined
    } finally {
      loading.value = false
    }
  }

  /** The signed-in user. One request per page, and none for guests. */
  async function loadUser(): Promise<User | null> {
    await (request ??= load())
    return user.value
  }

  async function logIn(credentials: LocalLogin): Promise<void> {
    clearImpersonation()
    await api.localLogin(credentials)
    request = undefined
    if (!(await fetchUser())) throw noCookies()
    request = Promise.resolve()
  }

  /** Ends the session. */
  async function logOut(): Promise<void> {
    await endPush()
    try {
      await api.logout()
    } catch (error) {
      if (!isOver(error)) throw error
    }
    leave()
  }

  /** Reloads the page, so that nothing of the session stays in memory. */
  function leave(): void {
    show(null)
    sessionExpired.value = false
    removeStored(tabStorage, 'svc-')
    discardDraft()
    history.replaceState(null, '', '#/')
    location.reload()
  }

  /** Shows the user of the session that the browser has now. */
  async function refresh(): Promise<void> {
    requestedToken = xsrfToken()
    if (requestedToken === undefined) state.expireSession()
    else await (request = load())
  }
  /** Checks whether another tab has signed in or out. */
  const synchronize = () => {
    if (xsrfToken() !== requestedToken) void refresh()
  }

  onVisible(synchronize)
  listen(window, 'storage', ({ key }) => {
    if (key === userKey) synchronize()
  })
  onResponse((reported) => {
    if ('isOtherUser' in reported) void refresh()
  })
  // Reloads a page from the back/forward cache if its session has ended.
  listen(window, 'pageshow', ({ persisted }) => {
    if (persisted && xsrfToken() !== requestedToken) location.reload()
  })
  return {
    user: readonly(user),
    loading: readonly(loading),
    /** While impersonating, an admin has no admin rights. */
    isAdmin: computed(() => user.value?.admin === true && impersonatedUser.value === null),
    impersonatedUser: readonly(impersonatedUser),
    loadUser,
    logIn,
    logOut,
    /** Leaves the page after the account and its session were deleted. */
    leave,
    /** Sets the user that the server returned after a change. */
    setUser: (now: User) => {
      user.value = now
    },
  }
})
