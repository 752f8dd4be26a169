import { createClient } from '@svc/sdk'
import { impersonatedID } from '../session/impersonated.ts'
import { baseURL } from './api.ts'

/**
 * Fetches stored bytes unchanged. It sends no `X-ClientApp`, because the server redirects the web client to the page of an
 * encrypted upload (docs/protocol.md#downloading).
 */
export const bytesApi = createClient({
  baseURL,
  credentials: 'same-origin',
  impersonate: () => impersonatedID() ?? undefined,
})
