import { isUtf8 } from 'node:buffer'
import { readdir } from 'node:fs/promises'
import { basename, dirname, sep } from 'node:path'
import type { Location } from './item.ts'

/** The place of a name in a folder. */
export function locationIn(folder: Location, name: Buffer): Location {
  if (typeof folder === 'string' && isUtf8(name))
    return `${folder}${folder.endsWith(sep) ? '' : sep}${name.toString()}`
  return Buffer.concat([Buffer.from(folder), Buffer.from(sep), name])
}

/** Characters that a name in an upload cannot have: controls, line breaks, and those that change the writing direction. */
const refused = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const writtenOut = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/**
 * A name of the file system as a name in an upload: bytes that are not UTF-8, and characters that servers refuse, are written as
 * `%XX`.
 */
export const nameOf = (bytes: Buffer): string =>
  (isUtf8(bytes) ? bytes.toString() : textOf(bytes)).replaceAll(refused, (character) =>
    writtenOut(Buffer.from(character)),
  )

/** Bytes of the longest character of UTF-8. */
const maxCharacterBytes = 4

function textOf(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const found = characterAt(bytes, at)
    text += found?.toString() ?? writtenOut(bytes.subarray(at, at + 1))
    at += found?.length ?? 1
  }
  return text
}

function characterAt(bytes: Buffer, at: number): Buffer | undefined {
  for (let length = 1; length <= maxCharacterBytes && at + length <= bytes.length; length += 1) {
    const character = bytes.subarray(at, at + length)
    if (isUtf8(character)) return character
  }
  return undefined
}

/** What Node puts in the place of bytes of an argument that are not UTF-8. */
const replacement = '\uFFFD'

/**
 * The place of a path of the command line. Node decodes arguments, and thereby loses bytes that are not UTF-8: if exactly one
 * name in the folder looks like the last part of the path, the path is that of this name.
 * @param path absolute
 */
export async function findLocation(path: string): Promise<Location> {
  const decoded = basename(path)
  if (!decoded.includes(replacement)) return path
  const folder = dirname(path)
  const names = await readdir(folder, { encoding: 'buffer' }).catch(() => [])
  const [only, ...others] = names.filter((name) => name.toString() === decoded)
  return only === undefined || others.length > 0 ? path : locationIn(folder, only)
}
