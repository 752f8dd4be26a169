import type { StoredKey } from './inventory.ts'

/** An object in the listing of a store. */
export interface ListedObject {
  /** Without the prefix of the service. */
  readonly name: string
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
}

export interface NamingOptions {
  /** A finished file may consist of the parts beside it, as a large object of Swift does. */
  readonly wholeOfParts: boolean
}

interface Gathered {
  readonly key: string
  size: number | null
  parts: number
  partBytes: number
  modifiedAt: number
}

/**
 * A key alone names a finished file; with a suffix it names a part of a file. Neither `.` nor `/` comes after a letter or
 * digit in the order of names, so all names of a key follow each other in a listing.
 */
const ofKey = /^([0-9A-Za-z]{1,64})(?:(?:\/|\.tail-).*)?$/

/** The keys of a listing in the order of names. */
export async function* gatherKeys(
  objects: AsyncIterable<ListedObject>,
  options: NamingOptions,
): AsyncGenerator<StoredKey, void> {
  let gathered: Gathered | undefined
  for await (const { name, size, modifiedAt } of objects) {
    const key = ofKey.exec(name)?.[1]
    if (key === undefined) continue
    if (gathered !== undefined && gathered.key !== key) yield storedKey(gathered, options)
    if (gathered?.key !== key) gathered = { key, size: null, parts: 0, partBytes: 0, modifiedAt: 0 }
    gathered.modifiedAt = Math.max(gathered.modifiedAt, modifiedAt)
    if (name === key) gathered.size = size
    else {
      gathered.parts += 1
      gathered.partBytes += size
    }
  }
  if (gathered !== undefined) yield storedKey(gathered, options)
}

function storedKey(
  { key, size, parts, partBytes, modifiedAt }: Gathered,
  { wholeOfParts }: NamingOptions,
): StoredKey {
  const isWholeOfParts = wholeOfParts && size !== null && partBytes === size
  return { key, size, unfinished: parts > 0 && !isWholeOfParts, modifiedAt }
}
