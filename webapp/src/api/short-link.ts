import { endpointPath, withKey } from '@svc/contract'
import { baseURL } from './api.ts'

/**
 * The short link of an upload, which chats can describe (docs/appearance.md#previews-of-links).
 * @param key of an encrypted upload; no server sees it
 */
export const shortLink = (uploadID: string, key: string | undefined): string =>
  withKey(baseURL + endpointPath('GET /s/{uploadID}', { uploadID }), key)
