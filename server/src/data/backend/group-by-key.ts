import type { StoredKey } from './inventory.ts'

/** An object in the listing of a store. */
export interface ListedObject {
  /** Without the prefix of the service. */
  readonly name: string
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
}

export interface GroupingOptions {
  /** A finished file may be a manifest of its parts, such as a large object of Swift. */
  readonly hasManifests: boolean
}

interface KeyGroup {
  readonly key: string
  size: number | null
  parts: number
  partBytes: number
  modifiedAt: number
}

/**
 * The name of a finished file is its key; names of parts have a suffix. `.` and `/` sort before letters and digits, so all
 * names of a key are adjacent in a listing.
 */
const ofKey = /^([0-9A-Za-z]{1,64})(?:(?:\/|\.tail-).*)?$/

/** Groups the objects of a sorted listing by key. */
export async function* groupByKey(
  objects: AsyncIterable<ListedObject>,
  options: GroupingOptions,
): AsyncGenerator<StoredKey, void> {
  let group: KeyGroup | undefined
  for await (const { name, size, modifiedAt } of objects) {
    const key = ofKey.exec(name)?.[1]
    if (key === undefined) continue
    if (group !== undefined && group.key !== key) yield storedKey(group, options)
    if (group?.key !== key) group = { key, size: null, parts: 0, partBytes: 0, modifiedAt: 0 }
    group.modifiedAt = Math.max(group.modifiedAt, modifiedAt)
    if (name === key) group.size = size
    else {
      group.parts += 1
      group.partBytes += size
    }
  }
  if (group !== undefined) yield storedKey(group, options)
}

function storedKey(
  { key, size, parts, partBytes, modifiedAt }: KeyGroup,
  { hasManifests }: GroupingOptions,
): StoredKey {
  const isManifest = hasManifests && size !== null && partBytes === size
  return { key, size, unfinished: parts > 0 && !isManifest, modifiedAt }
}
