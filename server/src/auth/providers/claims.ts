import { limits } from '@svc/contract'
import { UnusableAnswerError } from './provider-error.ts'

/** What a provider says of somebody, before any of it is believed. */
export type Claims = Readonly<Record<string, unknown>>

/** OpenID Connect Core §2 limits `sub` to 255 characters; e-mail addresses and logins are shorter anyway. */
const identifierLength = 255

/** RFC 5321 §4.5.3.1.3: the longest address that mail can be sent to. */
const emailLength = 254

/** Controls, line breaks, and characters that turn the writing direction: names are shown beside others. */
const unshown = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws UnusableAnswerError when it is no object */
export function claimsIn(answer: unknown): Claims {
  if (!isRecord(answer)) throw new UnusableAnswerError('the answer is not an object')
  return answer
}

/** @throws UnusableAnswerError when it is no list of objects */
export function claimsListIn(answer: unknown): readonly Claims[] {
  if (!Array.isArray(answer)) throw new UnusableAnswerError('the answer is not a list')
  return answer.map(claimsIn)
}

/** A text, empty when the claim is missing or null. @throws UnusableAnswerError when it is something else */
function textIn(claims: Claims, name: string): string {
  const value = claims[name] ?? ''
  if (typeof value !== 'string') throw new UnusableAnswerError(`"${name}" is not a text`)
  return value
}

/**
 * What somebody is known by: kept as it is, so that two people never become one.
 * Spaces at the ends are refused because databases may take no notice of them.
 * @param names of claims; the first one that is there counts
 * @throws UnusableAnswerError when none is there, or it cannot be kept as it is
 */
export function identifierIn(claims: Claims, ...names: readonly string[]): string {
  const value = names.map((name) => textIn(claims, name)).find((text) => text !== '') ?? ''
  const kept = value.length <= identifierLength && value.isWellFormed() && value.search(unshown) === -1
  if (value === '' || !kept || value !== value.trim()) {
    throw new UnusableAnswerError(`${names.map((name) => `"${name}"`).join(' or ')} is no identifier`)
  }
  return value
}

/**
 * What a provider calls an account for ever: a text, or a number.
 * @param names of claims; the first one that is there counts
 * @returns null when none is there
 * @throws UnusableAnswerError when it is something else, or cannot be kept as it is
 */
export function accountIdIn(claims: Claims, ...names: readonly string[]): string | null {
  const name = names.find((one) => (claims[one] ?? '') !== '')
  if (name === undefined) return null
  const value = claims[name]
  return Number.isSafeInteger(value) ? String(value) : identifierIn(claims, name)
}

/** A text that is only shown: without what is invisible, and cut to the length of a profile's texts. */
export function shown(text: string): string {
  const visible = text
    .slice(0, 4 * limits.profileTextLength)
    .replace(unshown, '')
    .toWellFormed()
    .trim()
  return Array.from(visible).slice(0, limits.profileTextLength).join('').trim()
}

/** A text that is only shown, empty when there is none. @throws UnusableAnswerError when it is no text */
export const labelIn = (claims: Claims, name: string): string => shown(textIn(claims, name))

/** An e-mail address; empty when there is none, or none that mail could be sent to. */
export function emailIn(claims: Claims): string {
  const email = textIn(claims, 'email')
  const sound = email.length <= emailLength && email.isWellFormed() && email.search(unshown) === -1
  return sound && /^[^\s@]+@[^\s@]+$/u.test(email) ? email : ''
}

/**
 * Lower case of A to Z alone. Full lower-casing would make one person of two, since the Kelvin sign becomes a `k`.
 */
export const asciiLowerCase = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
