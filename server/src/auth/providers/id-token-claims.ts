import { limits } from '@svc/contract'
import { isRecord } from '../../domain/is-record.ts'
import { UnusableResponseError } from './provider-error.ts'

/** The claims of a provider about a person, before validation. */
export type Claims = Readonly<Record<string, unknown>>

/** OpenID Connect Core §2 limits `sub` to 255 characters; email addresses and logins are shorter anyway. */
const identifierLength = 255

/** RFC 5321 §4.5.3.1.3: the longest address that mail can be sent to. */
const emailLength = 254

/** All invisible characters: two identifiers must not look the same. */
const invisibleInIds = /[\p{Cc}\p{Cf}\u2028\u2029]/u

/**
 * Controls, line breaks, and characters that change the writing direction: names are shown among others. Those that join
 * letters and pictures stay.
 */
const invisible = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** @throws UnusableResponseError when the response is not an object */
export function claimsIn(response: unknown): Claims {
  if (!isRecord(response)) throw new UnusableResponseError('the response is not an object')
  return response
}

/** @throws UnusableResponseError when the response is not a list of objects */
export function claimsListIn(response: unknown): readonly Claims[] {
  if (!Array.isArray(response)) throw new UnusableResponseError('the response is not a list')
  return response.map(claimsIn)
}

/**
 * A text; empty when the claim is missing or null.
 * @throws UnusableResponseError for any other value
 */
function textIn(claims: Claims, name: string): string {
  const value = claims[name] ?? ''
  if (typeof value !== 'string') throw new UnusableResponseError(`"${name}" is not a text`)
  return value
}

/**
 * An identifier, stored unchanged, so that two people never become one. Spaces at the ends are invalid because some
 * databases ignore them.
 * @param names names of claims; the first one that is present counts
 * @throws UnusableResponseError when none is present, or it cannot be stored unchanged
 */
export function identifierIn(claims: Claims, ...names: readonly string[]): string {
  const value = names.map((name) => textIn(claims, name)).find((text) => text !== '') ?? ''
  const isStorable = value.length <= identifierLength && value.isWellFormed() && !invisibleInIds.test(value)
  if (value === '' || !isStorable || value !== value.trim()) {
    throw new UnusableResponseError(`${names.map((name) => `"${name}"`).join(' or ')} is not an identifier`)
  }
  return value
}

/**
 * The permanent account id at the provider: a text, or a number.
 * @param names names of claims; the first one that is present counts
 * @returns null when none is present
 * @throws UnusableResponseError for any other value, or one that cannot be stored unchanged
 */
export function accountIdIn(claims: Claims, ...names: readonly string[]): string | null {
  const name = names.find((candidate) => (claims[candidate] ?? '') !== '')
  if (name === undefined) return null
  const value = claims[name]
  return Number.isSafeInteger(value) ? String(value) : identifierIn(claims, name)
}

/** A display text: without invisible characters, and cut to the length of profile texts. */
export function displayText(text: string): string {
  const visible = text
    .slice(0, 4 * limits.profileTextLength)
    .replace(invisible, '')
    .toWellFormed()
    .trim()
  return Array.from(visible).slice(0, limits.profileTextLength).join('').trim()
}

/**
 * A display text; empty when the claim is missing.
 * @throws UnusableResponseError when it is not a text
 */
export const labelIn = (claims: Claims, name: string): string => displayText(textIn(claims, name))

/** An email address; empty when it is missing or invalid. */
export function emailIn(claims: Claims): string {
  const email = textIn(claims, 'email')
  const isValid = email.length <= emailLength && email.isWellFormed() && !invisibleInIds.test(email)
  return isValid && /^[^\s@]+@[^\s@]+$/u.test(email) ? email : ''
}

/** Lower case for A to Z only. Full lower case could merge two people, because the Kelvin sign becomes a `k`. */
export const asciiLowerCase = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
