import { hash, timingSafeEqual } from 'node:crypto'

/** What is kept of an upload token: its SHA-256 in base64url. 32 random characters need no salt. */
export const hashUploadToken = (token: string): string => hash('sha256', token, 'base64url')

/** Whether two texts are equal, in a time that tells nothing of where they differ. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

export const isTokenOf = (token: string, tokenHash: string): boolean =>
  equalSecrets(hashUploadToken(token), tokenHash)
