import { hash, timingSafeEqual } from 'node:crypto'

/** The stored form of a generated secret: its SHA-256 in base64url. 32 random characters need no salt. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')

/** Whether two texts are equal. The time does not reveal where they differ. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

/** Whether a secret matches its stored hash. */
export const matchesHash = (secret: string, storedHash: string): boolean =>
  equalSecrets(hashSecret(secret), storedHash)
