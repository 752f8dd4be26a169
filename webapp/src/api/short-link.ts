import { endpointPath, withKey, type Upload } from '@svc/contract'
import { baseURL } from './api.ts'

/**
 * The short link of an upload, which chats can describe (docs/appearance.md#previews-of-links), with its alias if it has one.
 * @param key of an encrypted upload; no server sees it
 */
export const shortLink = (
  { id, alias = id }: Pick<Upload, 'id' | 'alias'>,
  key: string | undefined,
): string => withKey(baseURL + endpointPath('GET /s/{uploadID}', { uploadID: alias }), key)
