import { crc32 } from '../zip/crc32.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Base62 digits in the order of their values; ids and tokens consist of them. */
export const base62 = alphabet

export const userTokenPrefix = 'svct_'
const randomLength = 30
const checksumLength = 6
const checksummed = userTokenPrefix.length + randomLength

const wellFormed = /^(?:svct|plik)_[0-9A-Za-z]{36}$/
const legacy = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** The digits of Plik, whose tokens this service also accepts, in the order of their values. */
const plikAlphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

function checksum(text: string): string {
  const digitsOf = text.startsWith(userTokenPrefix) ? alphabet : plikAlphabet
  let rest = crc32(
    Uint8Array.from(text, (character) => character.charCodeAt(0)),
    0,
  )
  let digits = ''
  while (digits.length < checksumLength) {
    digits = digitsOf.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/**
 * A user token from its random part (docs/protocol.md#user-token).
 * @param random 30 Base62 characters from a secure source
 */
export function userToken(random: string): string {
  const body = userTokenPrefix + random
  if (body.length !== checksummed)
    throw new RangeError(`a user token needs ${String(randomLength)} random characters`)
  return body + checksum(body)
}

/** Length of the prefix that identifies a token to people: `svct_` and 4 of the 30 random characters. */
export const shownTokenLength = 9

/**
 * Whether a value can be a user token: it has a correct checksum, also that of Plik, or is a legacy UUIDv4. Saves a database
 * query.
 */
export function isUserToken(value: string): boolean {
  if (legacy.test(value)) return true
  return wellFormed.test(value) && checksum(value.slice(0, checksummed)) === value.slice(checksummed)
}
