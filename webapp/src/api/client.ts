import { cookies, webClient } from '@svc/contract'
import { createClient } from '@svc/sdk'
import { expireSession } from '../session/session.ts'
import { impersonatedUser } from '../session/impersonation.ts'
import { baseURLOf } from './base-url.ts'
import { cookieValue } from './cookie.ts'
import { syncServerTime } from '../base/server-clock.ts'
import { waitUntilOnline } from './wait-until-online.ts'

export const baseURL = baseURLOf(document.baseURI)

/** The value of the cookie that goes with a session; undefined for guests. */
export const xsrfToken = () => cookieValue(document.cookie, cookies.xsrf)

/**
 * The server this page came from. To what calls itself the web client, a 401 comes without `WWW-Authenticate`: with it
 * a browser would open its own password window instead of handing the answer to the page.
 */
export const client = createClient({
  baseURL,
  clientApp: webClient,
  credentials: 'same-origin',
  xsrfToken,
  wait: waitUntilOnline,
  impersonate: () => impersonatedUser.value ?? undefined,
  onError: ({ code }) => {
    if (code === 'invalid_session' || code === 'login_required') expireSession()
  },
  onResponse: ({ headers }) => {
    syncServerTime(headers.get('date'))
  },
})
