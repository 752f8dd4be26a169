import { createClient } from '@svc/sdk'
import { impersonatedUser } from '../session/impersonation.ts'
import { baseURL } from './client.ts'

/**
 * Fetches what is stored as it is. To what calls itself the web client, the server answers the page of an encrypted upload
 * instead (specification §4, download rule 4).
 */
export const bytesClient = createClient({
  baseURL,
  credentials: 'same-origin',
  impersonate: () => impersonatedUser.value ?? undefined,
})
