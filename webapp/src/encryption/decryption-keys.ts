import type { Keys } from '@svc/encryption'

/** What a link or a person may give: a passphrase, or the identity (`AGE-SECRET-KEY-1…`) that a file was encrypted for. */
export function decryptionKeys(key: string): Keys {
  const given = key.trim()
  return /^AGE-SECRET-KEY-/i.test(given)
    ? { identities: [given.toUpperCase()], passphrases: [key] }
    : { passphrases: [key] }
}
