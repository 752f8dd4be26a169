import pLimit from 'p-limit'
import { StoreUnavailableError, TooLargeForStoreError } from '../backend/backend.ts'
import { hasty, persist, type RetryPolicy } from '../network/retry-policy.ts'
import type { Part } from '../network/gather-parts.ts'
import { expectStatus } from '../network/store-error.ts'
import type { SwiftCalls } from './calls.ts'
import type { SwiftLimits } from './limits.ts'
import type { PartWriter } from '../network/sequential-part-writer.ts'

/** Beside the object, in the same container: a key has no slash, so no other key's names begin like this. */
export const segmentsOf = (key: string) => `${key}/`

const segmentOf = (key: string, index: number) => `${segmentsOf(key)}${String(index + 1).padStart(8, '0')}`

export interface SwiftUploadOptions {
  readonly container: string
  readonly limits: SwiftLimits
  readonly patience: RetryPolicy
}

/** An entry of a manifest of a static large object. */
interface Segment {
  readonly path: string
  readonly etag: string
  readonly size_bytes: number
}

/** Writes one object: a small one as it is, others as segments and, at the end, the manifest that makes them one. */
export function swiftUpload(
  calls: SwiftCalls,
  key: string,
  { container, limits, patience }: SwiftUploadOptions,
): PartWriter {
  const segments: Segment[] = []
  let begun = 0
  let mayExist = false

  const put = async (name: string, { bytes }: Part, signal: AbortSignal): Promise<string> =>
    persist(
      async () => {
        const answer = await calls.put(name, bytes, signal)
        await expectStatus('an object', answer, 201)
        return (answer.headers.etag ?? '').replaceAll('"', '')
      },
      patience,
      signal,
    )
  const putManifest = async (signal: AbortSignal) => {
    mayExist = true
    await persist(
      async () =>
        expectStatus('a large object', await calls.putManifest(key, JSON.stringify(segments), signal), 201),
      patience,
      signal,
    )
  }

  return {
    async write(part, signal) {
      if (part.last && begun === 0) {
        mayExist = true
        await put(key, part, signal)
        return
      }
      if (begun === limits.segments) throw new TooLargeForStoreError(part.start)
      const name = segmentOf(key, begun)
      begun += 1
      const etag = await put(name, part, signal)
      segments.push({ path: `/${container}/${name}`, etag, size_bytes: part.bytes.length })
      if (part.last) await putManifest(signal)
    },
    async undo() {
      // By number: listings may not know yet of what has just been written.
      const names = Array.from({ length: begun }, (_, index) => segmentOf(key, index))
      await removeObjects(calls, [...(mayExist ? [key] : []), ...names], hasty)
    },
  }
}

/** Removes what is stored under a key, and segments of a write that was never finished. */
export async function removeAll(calls: SwiftCalls, key: string, patience: RetryPolicy): Promise<void> {
  if (await isLarge(calls, key, patience)) await removeLarge(calls, key, patience)
  else await removeObjects(calls, [key], patience)
  for await (const names of listings(calls, segmentsOf(key), '', patience))
    await removeObjects(calls, names, patience)
}

/** All names that begin with a prefix and come after another one, some at a time. */
export async function* listings(
  calls: SwiftCalls,
  prefix: string,
  after: string,
  patience: RetryPolicy,
): AsyncGenerator<readonly string[], void> {
  for (let last = after; ;) {
    const marker = last
    const list = async () =>
      lines(await expectStatus('a listing', await calls.list(prefix, marker), 200, 204, 404))
    const names = await persist(list, patience)
    if (names.length === 0) return
    yield names
    last = names.at(-1) ?? ''
  }
}

async function isLarge(calls: SwiftCalls, key: string, patience: RetryPolicy): Promise<boolean> {
  return persist(async () => {
    const answer = await calls.describe(key)
    // 416: it is empty.
    await expectStatus('an object', answer, 200, 206, 416, 404)
    return answer.headers['x-static-large-object']?.toString().toLowerCase() === 'true'
  }, patience)
}

/** Not by the listing alone, which may be late. */
async function removeLarge(calls: SwiftCalls, key: string, patience: RetryPolicy): Promise<void> {
  await persist(async () => {
    const said = await expectStatus(
      'the removal of a large object',
      await calls.removeLarge(key),
      200,
      204,
      404,
    )
    // The status is sent before the work is done. What is gone already is no error.
    const outcome = /"Response Status": *"(\d+)/.exec(said)?.[1] ?? '200'
    if (outcome !== '200' && outcome !== '404')
      throw new StoreUnavailableError(`a large object could not be removed: ${said.slice(0, 500)}`)
  }, patience)
}

export async function removeObjects(
  calls: SwiftCalls,
  names: readonly string[],
  patience: RetryPolicy,
): Promise<void> {
  const limit = pLimit(8)
  const remove = (name: string) =>
    persist(
      async () => expectStatus('the removal of an object', await calls.remove(name), 204, 200, 404),
      patience,
    )
  await Promise.all(names.map((name) => limit(() => remove(name))))
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '')
