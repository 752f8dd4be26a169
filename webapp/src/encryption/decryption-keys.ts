import type { Keys } from '@svc/encryption'

/** A key from a link or the user: a passphrase, or an identity (`AGE-SECRET-KEY-1…`). */
export function decryptionKeys(key: string): Keys {
  const given = key.trim()
  return /^AGE-SECRET-KEY-/i.test(given)
    ? { identities: [given.toUpperCase()], passphrases: [key] }
    : { passphrases: [key] }
}
