import { cookies, webClient } from '@svc/contract'
import { createClient } from '@svc/sdk'
import { endSession } from '../account/account-state.ts'
import { actingAs } from '../account/acting.ts'
import { baseURLOf } from './base-url.ts'
import { cookieValue } from './cookie.ts'
import { noteServerTime } from './server-clock.ts'
import { waitOrOnline } from './wait-or-online.ts'

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
  wait: waitOrOnline,
  impersonate: () => actingAs.value ?? undefined,
  onRefusal: ({ code }) => {
    if (code === 'invalid_session' || code === 'login_required') endSession()
  },
  onResponse: ({ headers }) => {
    noteServerTime(headers.get('date'))
  },
})
