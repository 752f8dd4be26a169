import type { Keys } from '@svc/encryption'

/** A typed passphrase, and as it was before a device added a space or capitals: generated ones have none. */
export const passphrasesOf = (typed: string): string[] => [
  ...new Set([typed, typed.trim(), typed.trim().toLowerCase()]),
]

/** A key from a link or the user: a passphrase, or an identity (`AGE-SECRET-KEY-1…`). */
export function decryptionKeys(key: string): Keys {
  const trimmed = key.trim()
  return /^AGE-SECRET-KEY-/i.test(trimmed)
    ? { identities: [trimmed.toUpperCase()], passphrases: passphrasesOf(key) }
    : { passphrases: passphrasesOf(key) }
}
