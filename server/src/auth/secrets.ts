import { hash, timingSafeEqual } from 'node:crypto'

/** What is kept of a secret that we made: its SHA-256 in base64url. 32 random characters need no salt. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')

/** Whether two texts are equal, in a time that tells nothing of where they differ. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

/** Whether a secret is the one that a hash was kept of. */
export const isSecretOf = (secret: string, kept: string): boolean => equalSecrets(hashSecret(secret), kept)
