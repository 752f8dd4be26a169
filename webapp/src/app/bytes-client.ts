import { createClient } from '@svc/sdk'
import { actingAs } from '../account/acting.ts'
import { baseURL } from './client.ts'

/**
 * Fetches what is stored as it is. To what calls itself the web client, the server answers the page of an encrypted upload
 * instead (specification §4, download rule 4).
 */
export const bytesClient = createClient({
  baseURL,
  credentials: 'same-origin',
  impersonate: () => actingAs.value ?? undefined,
})
