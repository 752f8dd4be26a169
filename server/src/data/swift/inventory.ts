import * as Type from 'typebox'
import { Value } from 'typebox/value'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { Inventory, StoredKey } from '../backend/inventory.ts'
import { gatherKeys, type ListedObject } from '../backend/gather-keys.ts'
import { checkKey } from '../backend/key.ts'
import { readText, type StoreAnswer } from '../network/client.ts'
import { persist, type RetryPolicy } from '../network/retry-policy.ts'
import { expectStatus, jsonOf, refusalOf } from '../network/store-error.ts'
import type { SwiftCalls } from './calls.ts'
import { removeObjects, segmentsOf } from './upload.ts'

/** A large object is the list of the segments beside it. */
const naming = { wholeOfParts: true }

/** The objects of a container. Its listing may be late, and the objects themselves are asked where that matters. */
export function swiftInventory(calls: SwiftCalls, patience: RetryPolicy): Inventory {
  async function* objects(begin: string): AsyncGenerator<ListedObject, void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const marker: string = after
      const page = await persist(async () => {
        const answer = await calls.listWithSizes(begin, marker)
        if (answer.status === 204) return []
        return pageOf(await expectStatus('a listing', answer, 200))
      }, patience)
      for (const { name, bytes, last_modified } of page)
        yield { name, size: bytes, modifiedAt: timeIn(last_modified) }
      after = page.at(-1)?.name
    }
  }
  const inspect = async (key: string): Promise<StoredKey | null> => {
    const whole = await persist(() => describe(calls, key), patience)
    const parts = await Array.fromAsync(objects(segmentsOf(key)))
    if (whole === undefined && parts.length === 0) return null
    const modifiedAt = Math.max(whole?.modifiedAt ?? 0, ...parts.map((part) => part.modifiedAt))
    if (whole?.isLarge !== true)
      return { key, size: whole?.size ?? null, unfinished: parts.length > 0, modifiedAt }
    return { key, ...(await inspectSegments(key, whole.size, parts)), modifiedAt }
  }
  const inspectSegments = async (key: string, size: number, parts: readonly ListedObject[]) => {
    const manifest = await persist(() => segmentsIn(calls, key), patience)
    const partBytes = parts.reduce((sum, part) => sum + part.size, 0)
    if (manifest === undefined) return { size: Math.min(size, partBytes), unfinished: partBytes > size }
    const listed = new Set(parts.map(({ name }) => name))
    let lost = 0
    for (const { name, bytes } of manifest.filter((segment) => !listed.has(segment.name)))
      if (await isGone(name)) lost += bytes
    const used = new Set(manifest.map(({ name }) => name))
    return { size: size - lost, unfinished: parts.some(({ name }) => !used.has(name)) }
  }
  /** The listing may not have it yet. */
  const isGone = (name: string) =>
    persist(async () => {
      const answer = await calls.describe(name)
      await expectStatus('a segment', answer, 200, 206, 416, 404)
      return answer.status === 404
    }, patience)

  return {
    async *list() {
      for await (const stored of gatherKeys(objects(''), naming)) {
        // Ceph's gateway lists a large object with the bytes of its manifest, Swift with those of its segments.
        const known = stored.size !== null && stored.unfinished ? await inspect(stored.key) : stored
        if (known !== null) yield known
      }
    },
    async inspect(key) {
      checkKey(key)
      return inspect(key)
    },
    async removeUnfinished(key) {
      checkKey(key)
      const whole = await persist(() => describe(calls, key), patience)
      const manifest = whole?.isLarge === true ? await persist(() => segmentsIn(calls, key), patience) : []
      // Where nobody knows which segments the file consists of, they all stay, and go with the file.
      if (manifest === undefined) return
      const used = new Set(manifest.map(({ name }) => name))
      for await (const { name } of objects(segmentsOf(key)))
        if (!used.has(name)) await removeObjects(calls, [name], patience)
    },
  }
}

interface WholeObject {
  /** Of a large object, the bytes of all its segments. */
  readonly size: number
  readonly isLarge: boolean
  readonly modifiedAt: number
}

/** The finished file of a key, as the object itself tells. */
async function describe(calls: SwiftCalls, key: string): Promise<WholeObject | undefined> {
  const answer = await calls.get(key, { start: 0, end: 0 })
  // 409: the first segment of a large object is lost. (Ceph's gateway answers 404.)
  if (![200, 206, 404, 409, 416].includes(answer.status)) throw await refusalOf('an object', answer)
  answer.cut()
  if (answer.status === 404) return undefined
  const modifiedAt = Date.parse(answer.headers['last-modified'] ?? '') || 0
  if (answer.status !== 409) return { size: sizeIn(answer), isLarge: isLarge(answer), modifiedAt }
  const segments = (await segmentsIn(calls, key)) ?? []
  return { size: segments.reduce((sum, { bytes }) => sum + bytes, 0), isLarge: true, modifiedAt }
}

const isLarge = ({ headers }: StoreAnswer) =>
  headers['x-static-large-object']?.toString().toLowerCase() === 'true'

/** Ceph's gateway answers the range of an empty object with 200 or 416. */
function sizeIn({ status, headers }: StoreAnswer): number {
  const total = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
  if (total !== undefined) return Number(total)
  return status === 416 ? 0 : Number(headers['content-length'] ?? 0)
}

interface Segment {
  readonly name: string
  readonly bytes: number
}

/** The segments that a large object consists of; undefined where the store does not tell, as Ceph's gateway. */
async function segmentsIn(calls: SwiftCalls, key: string): Promise<readonly Segment[] | undefined> {
  const answer = await calls.manifest(key)
  if (answer.status === 200 && !isLarge(answer)) {
    answer.cut()
    return undefined
  }
  if (answer.status !== 200) throw await refusalOf('the segments of an object', answer)
  const manifest = jsonOf('the segments of an object', await readText(answer))
  if (!Value.Check(Manifest, manifest))
    throw new StoreUnavailableError('the segments of an object cannot be read')
  // Each is named with its container: `/CONTAINER/KEY/00000001`.
  return manifest.map(({ name, bytes }) => ({ name: name.slice(name.indexOf('/', 1) + 1), bytes }))
}

const Page = Type.Array(
  Type.Object({ name: Type.String(), bytes: Type.Number(), last_modified: Type.String() }),
)
const Manifest = Type.Array(Type.Object({ name: Type.String(), bytes: Type.Number() }))

function pageOf(json: string): Type.Static<typeof Page> {
  const page = jsonOf('a listing', json)
  if (!Value.Check(Page, page)) throw new StoreUnavailableError('a listing of the container cannot be read')
  return page
}

/** Swift leaves out that its times are in UTC; Ceph's gateway does not. */
const timeIn = (written: string) =>
  Date.parse(/Z|[+-]\d\d:\d\d$/.test(written) ? written : `${written}Z`) || 0
