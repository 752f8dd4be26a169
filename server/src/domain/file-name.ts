import { limits } from '@svc/contract'

/** A name that passed every rule, or why it did not, as a sentence for the uploader. */
export type FileNameResult =
  { readonly ok: true; readonly name: string } | { readonly ok: false; readonly reason: string }

/**
 * Controls (C0, DEL, C1) and the two Unicode line breaks: they would break headers, logs and terminals.
 * Never used with a state of its own (no `g`), so it can be shared.
 */
const controlCharacter = /[\p{Cc}\u2028\u2029]/u

/**
 * Characters that turn the writing direction: with them `gpj.exe` can be shown as `exe.jpg`
 * (Unicode Standard Annex 9, "explicit directional formatting characters" and implicit marks).
 */
const directionCharacter = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const refused = (reason: string): FileNameResult => ({ ok: false, reason })

function isTooLong(name: string): boolean {
  // A code point is one or two UTF-16 units, so most lengths are decided without counting.
  if (name.length <= limits.fileNameLength) return false
  return name.length > 2 * limits.fileNameLength || Array.from(name).length > limits.fileNameLength
}

/** What is wrong with one folder or file of a name. */
function segmentFault(segment: string): string | null {
  if (segment === '') return 'a folder or file between slashes has no name; remove the extra "/"'
  if (segment === '.' || segment === '..') return 'the names "." and ".." are not allowed; choose another one'
  return null
}

/**
 * Decides whether a file may be called so. The name is kept as given: nothing is trimmed, normalised or replaced,
 * a backslash is a character like any other (specification §2, "File"; §8 rule 6).
 * @param raw the name as the client sent it, already decoded
 * @param options folders: whether `/` separates folders (only in names declared at creation) or is refused
 */
export function parseFileName(raw: string, options: { readonly folders: boolean }): FileNameResult {
  if (raw === '') return refused('the file name is empty; give the file a name')
  if (isTooLong(raw)) {
    return refused(`the file name is longer than ${String(limits.fileNameLength)} characters; shorten it`)
  }
  if (!raw.isWellFormed()) return refused('the file name is not valid Unicode; remove the broken characters')
  if (controlCharacter.test(raw)) {
    return refused('the file name has control characters, such as line breaks; remove them')
  }
  if (directionCharacter.test(raw)) {
    return refused('the file name has invisible characters that change the writing direction; remove them')
  }
  if (!options.folders && raw.includes('/')) return refused('the file name has a "/"; remove it')
  for (const segment of raw.split('/')) {
    const fault = segmentFault(segment)
    if (fault !== null) return refused(fault)
  }
  return { ok: true, name: raw }
}
