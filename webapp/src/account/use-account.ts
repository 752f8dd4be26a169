import type { LocalLogin, User } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { computed, readonly, ref } from 'vue'
import { client, xsrfToken } from '../api/client.ts'
import { removeStored, session } from '../base/storage.ts'
import { discardDraft } from '../upload/draft/draft.ts'
import { expireSession, sessionExpired, user } from '../session/session.ts'
import { impersonatedUser, clearImpersonation } from '../session/impersonation.ts'

const loading = ref(false)
/** The one question that is asked at the start; undefined when it has to be asked again. */
let asked: Promise<void> | undefined
/** The cookie of the session that was asked about. */
let askedWith: string | undefined

/** The browser keeps no cookies for this page, so signing in is impossible. */
const noCookies = () => new ApiError(0, 'no_cookies', 'the browser did not keep the session')

/** Whom an admin acted as is gone, or the one who logged in since is no admin. */
const cannotImpersonate = (error: unknown) =>
  impersonatedUser.value !== null &&
  error instanceof ApiError &&
  ['user_not_found', 'not_allowed'].includes(error.code)

async function askWho(): Promise<User> {
  try {
    return await client.me()
  } catch (error) {
    if (!cannotImpersonate(error)) throw error
    clearImpersonation()
    return client.me()
  }
}

async function fetchUser(): Promise<User | null> {
  askedWith = xsrfToken()
  if (askedWith === undefined) clearImpersonation()
  user.value = askedWith === undefined ? null : await askWho()
  return user.value
}

/** What the server refuses makes a guest; without an answer one is a guest until the next look. */
async function load(): Promise<void> {
  loading.value = true
  try {
    await fetchUser()
  } catch (error) {
    user.value = null
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) asked = undefined
  } finally {
    loading.value = false
  }
}

/** Who is logged in: asked of the server once, and never for guests. */
async function known(): Promise<User | null> {
  await (asked ??= load())
  return user.value
}

async function logIn(credentials: LocalLogin): Promise<void> {
  clearImpersonation()
  await client.localLogin(credentials)
  asked = undefined
  if (!(await fetchUser())) throw noCookies()
  asked = Promise.resolve()
  sessionExpired.value = false
}

const isOver = (error: unknown) =>
  error instanceof ApiError && ['invalid_session', 'login_required'].includes(error.code)

/** Ends the session. */
async function logOut(): Promise<void> {
  try {
    await client.logout()
  } catch (error) {
    if (!isOver(error)) throw error
  }
  leave()
}

/** Reloads the page, so that nothing of the session stays in memory. */
function leave(): void {
  user.value = null
  sessionExpired.value = false
  removeStored(session, 'svc-')
  discardDraft()
  history.replaceState(null, '', '#/')
  location.reload()
}

/** Looks whether another tab has logged in or out. */
async function synchronize(): Promise<void> {
  const token = xsrfToken()
  if (token === askedWith) return
  askedWith = token
  if (token === undefined) expireSession()
  else await (asked = load())
}

/** Keeps up with other tabs, and shows nothing of a session that has ended since when a page is brought back whole. */
function watchOtherTabs(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void synchronize()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && xsrfToken() !== askedWith) location.reload()
  })
}

/** While impersonating, an admin has no admin rights. */
const isAdmin = computed(() => user.value?.admin === true && impersonatedUser.value === null)

function changed(now: User): void {
  user.value = now
}

/** The person in front of the page, shared by everything on it. */
export function useAccount() {
  return {
    user: readonly(user),
    loading: readonly(loading),
    isAdmin,
    impersonatedUser: readonly(impersonatedUser),
    sessionExpired,
    known,
    logIn,
    logOut,
    /** After the account was deleted, and its session with it. */
    leave,
    /** Takes over the account that the server returned after a change. */
    changed,
    watchOtherTabs,
  }
}
