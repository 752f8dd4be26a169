import { cookies, webClient } from '@svc/contract'
import { createClient } from '@svc/sdk'
import { reportResponse } from '../base/responses.ts'
import { expectedUserID } from '../session/expected-user.ts'
import { impersonatedID } from '../session/impersonated.ts'
import { baseURLOf } from './base-url.ts'
import { cookieValue } from './cookie.ts'
import { waitUntilOnline } from './wait-until-online.ts'

export const baseURL = baseURLOf(document.baseURI)

/** The XSRF value of the session's cookie; undefined for guests. */
export const xsrfToken = () => cookieValue(document.cookie, cookies.xsrf)

/**
 * The API of the server that serves this page. `clientApp` makes the server send 401 without `WWW-Authenticate`: with that header,
 * a browser opens a password dialog instead of returning the response to the page.
 */
export const api = createClient({
  baseURL,
  clientApp: webClient,
  credentials: 'same-origin',
  xsrfToken,
  wait: waitUntilOnline,
  impersonate: () => impersonatedID() ?? undefined,
  expectedUser: expectedUserID,
  onError: ({ code }) => {
    if (code === 'invalid_session' || code === 'login_required') reportResponse({ isSessionOver: true })
    if (code === 'other_user') reportResponse({ isOtherUser: true })
  },
  onResponse: ({ headers }) => {
    reportResponse({ date: headers.get('date') })
  },
})
