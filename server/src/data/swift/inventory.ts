import * as Type from 'typebox'
import { Value } from 'typebox/value'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { Inventory, StoredKey } from '../backend/inventory.ts'
import { groupByKey, type ListedObject } from '../backend/group-by-key.ts'
import { checkKey } from '../backend/key.ts'
import { readText, type StoreResponse } from '../network/client.ts'
import { withRetries, type RetryPolicy } from '../network/retry-policy.ts'
import { expectStatus, parseJsonResponse, responseError } from '../network/store-error.ts'
import type { SwiftCalls } from './calls.ts'
import { removeObjects, segmentsOf } from './upload.ts'

/** A large object is a manifest of the segments below its key. */
const grouping = { hasManifests: true }

/** The objects of a container. Its listing may not show recent writes; where that matters, the objects themselves are requested. */
export function swiftInventory(calls: SwiftCalls, retryPolicy: RetryPolicy): Inventory {
  async function* objects(begin: string): AsyncGenerator<ListedObject, void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const marker: string = after
      const page = await withRetries(async () => {
        const response = await calls.listWithSizes(begin, marker)
        if (response.status === 204) return []
        return pageOf(await expectStatus('a listing', response, 200))
      }, retryPolicy)
      for (const { name, bytes, last_modified } of page)
        yield { name, size: bytes, modifiedAt: timeIn(last_modified) }
      after = page.at(-1)?.name
    }
  }
  const inspect = async (key: string): Promise<StoredKey | null> => {
    const whole = await withRetries(() => describe(calls, key), retryPolicy)
    const parts = await Array.fromAsync(objects(segmentsOf(key)))
    if (whole === undefined && parts.length === 0) return null
    const modifiedAt = Math.max(whole?.modifiedAt ?? 0, ...parts.map((part) => part.modifiedAt))
    if (whole?.isLarge !== true)
      return { key, size: whole?.size ?? null, unfinished: parts.length > 0, modifiedAt }
    return { key, ...(await inspectSegments(key, whole.size, parts)), modifiedAt }
  }
  const inspectSegments = async (key: string, size: number, parts: readonly ListedObject[]) => {
    const manifest = await withRetries(() => segmentsIn(calls, key), retryPolicy)
    const partBytes = parts.reduce((sum, part) => sum + part.size, 0)
    if (manifest === undefined) return { size: Math.min(size, partBytes), unfinished: partBytes > size }
    const listed = new Set(parts.map(({ name }) => name))
    let lost = 0
    for (const { name, bytes } of manifest.filter((segment) => !listed.has(segment.name)))
      if (await isGone(name)) lost += bytes
    const used = new Set(manifest.map(({ name }) => name))
    return { size: size - lost, unfinished: parts.some(({ name }) => !used.has(name)) }
  }
  /** Checks the object itself, because the listing may not have it yet. */
  const isGone = (name: string) =>
    withRetries(async () => {
      const response = await calls.describe(name)
      await expectStatus('a segment', response, 200, 206, 416, 404)
      return response.status === 404
    }, retryPolicy)

  return {
    async *list() {
      for await (const stored of groupByKey(objects(''), grouping)) {
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
      const whole = await withRetries(() => describe(calls, key), retryPolicy)
      const manifest =
        whole?.isLarge === true ? await withRetries(() => segmentsIn(calls, key), retryPolicy) : []
      // If the segments of the file are unknown, all of them stay, and are removed with the file.
      if (manifest === undefined) return
      const used = new Set(manifest.map(({ name }) => name))
      for await (const { name } of objects(segmentsOf(key)))
        if (!used.has(name)) await removeObjects(calls, [name], retryPolicy)
    },
  }
}

interface WholeObject {
  /** Of a large object, the bytes of all its segments. */
  readonly size: number
  readonly isLarge: boolean
  readonly modifiedAt: number
}

/** The finished file of a key, from the object itself. */
async function describe(calls: SwiftCalls, key: string): Promise<WholeObject | undefined> {
  const response = await calls.get(key, { start: 0, end: 0 })
  // 409: the first segment of a large object is lost. (Ceph's gateway: 404.)
  if (![200, 206, 404, 409, 416].includes(response.status)) throw await responseError('an object', response)
  response.destroy()
  if (response.status === 404) return undefined
  const modifiedAt = Date.parse(response.headers['last-modified'] ?? '') || 0
  if (response.status !== 409) return { size: sizeIn(response), isLarge: isLarge(response), modifiedAt }
  const segments = (await segmentsIn(calls, key)) ?? []
  return { size: segments.reduce((sum, { bytes }) => sum + bytes, 0), isLarge: true, modifiedAt }
}

const isLarge = ({ headers }: StoreResponse) =>
  headers['x-static-large-object']?.toString().toLowerCase() === 'true'

/** Ceph's gateway responds with 200 or 416 to a range of an empty object. */
function sizeIn({ status, headers }: StoreResponse): number {
  const total = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
  if (total !== undefined) return Number(total)
  return status === 416 ? 0 : Number(headers['content-length'] ?? 0)
}

interface Segment {
  readonly name: string
  readonly bytes: number
}

/** The segments of a large object; undefined if the store does not return them, like Ceph's gateway. */
async function segmentsIn(calls: SwiftCalls, key: string): Promise<readonly Segment[] | undefined> {
  const response = await calls.manifest(key)
  if (response.status === 200 && !isLarge(response)) {
    response.destroy()
    return undefined
  }
  if (response.status !== 200) throw await responseError('the segments of an object', response)
  const manifest = parseJsonResponse('the segments of an object', await readText(response))
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
  const page = parseJsonResponse('a listing', json)
  if (!Value.Check(Page, page)) throw new StoreUnavailableError('a listing of the container cannot be read')
  return page
}

/** Swift omits the time zone, which is UTC; Ceph's gateway does not. */
const timeIn = (text: string) => Date.parse(/Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`) || 0
