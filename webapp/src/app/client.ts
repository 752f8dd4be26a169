import { webClient } from '@svc/contract'
import { createClient } from '@svc/sdk'
import { baseURLOf } from './base-url.ts'

export const baseURL = baseURLOf(document.baseURI)

/**
 * The server this page came from. Cookies and stored passwords are left out of fetches: with them a browser
 * answers the 401 of a protected upload with its own password window instead of handing it to the page.
 */
export const client = createClient({ baseURL, clientApp: webClient, credentials: 'omit' })
