import { limits } from '../base/limits.ts'

/** Why a file name is invalid. */
export type FileNameFault = 'empty' | 'long' | 'broken' | 'control' | 'direction' | 'unnamed' | 'dots'

/**
 * Controls (C0, DEL, C1) and the two Unicode line breaks: they would break headers, logs and terminals. Without the
 * flag `g` it has no state, so it can be shared.
 */
const controlCharacter = /[\p{Cc}\u2028\u2029]/u

/**
 * Characters that change the writing direction: with them `gpj.exe` can be shown as `exe.jpg` (Unicode Standard Annex
 * 9, "explicit directional formatting characters" and implicit marks).
 */
const directionCharacter = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/**
 * What is wrong with a file's name, in which `/` separates folders. A name is kept as sent: nothing is trimmed,
 * normalised or replaced, and a backslash is an ordinary character (docs/protocol.md#file).
 */
export function fileNameFault(name: string): FileNameFault | undefined {
  if (name === '') return 'empty'
  if (isTooLong(name)) return 'long'
  if (!name.isWellFormed()) return 'broken'
  if (controlCharacter.test(name)) return 'control'
  if (directionCharacter.test(name)) return 'direction'
  const segments = name.split('/')
  if (segments.includes('')) return 'unnamed'
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'dots'
  return undefined
}

/** A file's name without its folders. */
export const lastSegment = (fileName: string): string => fileName.slice(fileName.lastIndexOf('/') + 1)

function isTooLong(name: string): boolean {
  // A code point is one or two UTF-16 units, so most lengths are decided without counting.
  if (name.length <= limits.fileNameLength) return false
  return name.length > 2 * limits.fileNameLength || Array.from(name).length > limits.fileNameLength
}
