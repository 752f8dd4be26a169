import pLimit from 'p-limit'
import { StoreUnavailableError, TooLargeForStoreError } from '../backend/backend.ts'
import { fewRetries, withRetries, type RetryPolicy } from '../network/retry-policy.ts'
import type { Part } from '../network/gather-parts.ts'
import { expectStatus } from '../network/store-error.ts'
import type { SwiftCalls } from './calls.ts'
import type { SwiftLimits } from './limits.ts'
import type { PartWriter } from '../network/sequential-part-writer.ts'

/** The prefix of the segments of a key, in the container of the object. A key has no slash, so no other name has this prefix. */
export const segmentsOf = (key: string) => `${key}/`

const segmentOf = (key: string, index: number) => `${segmentsOf(key)}${String(index + 1).padStart(8, '0')}`

export interface SwiftUploadOptions {
  readonly container: string
  readonly limits: SwiftLimits
  readonly retryPolicy: RetryPolicy
}

/** An entry of a manifest of a static large object. */
interface Segment {
  readonly path: string
  readonly etag: string
  readonly size_bytes: number
}

/** Writes one object: a small one in one request, others as segments and, at the end, their manifest. */
export function swiftUpload(
  calls: SwiftCalls,
  key: string,
  { container, limits, retryPolicy }: SwiftUploadOptions,
): PartWriter {
  const segments: Segment[] = []
  let startedSegments = 0
  let mayExist = false

  const put = async (name: string, { bytes }: Part, signal: AbortSignal): Promise<string> =>
    withRetries(
      async () => {
        const response = await calls.put(name, bytes, signal)
        await expectStatus('an object', response, 201)
        return (response.headers.etag ?? '').replaceAll('"', '')
      },
      retryPolicy,
      signal,
    )
  const putManifest = async (signal: AbortSignal) => {
    mayExist = true
    await withRetries(
      async () =>
        expectStatus('a large object', await calls.putManifest(key, JSON.stringify(segments), signal), 201),
      retryPolicy,
      signal,
    )
  }

  return {
    async write(part, signal) {
      if (part.last && startedSegments === 0) {
        mayExist = true
        await put(key, part, signal)
        return
      }
      if (startedSegments === limits.segments) throw new TooLargeForStoreError(part.start)
      const name = segmentOf(key, startedSegments)
      startedSegments += 1
      const etag = await put(name, part, signal)
      segments.push({ path: `/${container}/${name}`, etag, size_bytes: part.bytes.length })
      if (part.last) await putManifest(signal)
    },
    async undo() {
      // By number, because listings may not have new objects yet.
      const names = Array.from({ length: startedSegments }, (_, index) => segmentOf(key, index))
      await removeObjects(calls, [...(mayExist ? [key] : []), ...names], fewRetries)
    },
  }
}

/** Removes all data of a key, segments of unfinished writes included. */
export async function removeAll(calls: SwiftCalls, key: string, retryPolicy: RetryPolicy): Promise<void> {
  if (await isLarge(calls, key, retryPolicy)) await removeLarge(calls, key, retryPolicy)
  else await removeObjects(calls, [key], retryPolicy)
  for await (const names of listPages(calls, segmentsOf(key), '', retryPolicy))
    await removeObjects(calls, names, retryPolicy)
}

/** All names with a prefix that sort after another name, page by page. */
export async function* listPages(
  calls: SwiftCalls,
  prefix: string,
  after: string,
  retryPolicy: RetryPolicy,
): AsyncGenerator<readonly string[], void> {
  for (let last = after; ;) {
    const marker = last
    const list = async () =>
      lines(await expectStatus('a listing', await calls.list(prefix, marker), 200, 204))
    const names = await withRetries(list, retryPolicy)
    if (names.length === 0) return
    yield names
    last = names.at(-1) ?? ''
  }
}

async function isLarge(calls: SwiftCalls, key: string, retryPolicy: RetryPolicy): Promise<boolean> {
  return withRetries(async () => {
    const response = await calls.describe(key)
    // 416: it is empty.
    await expectStatus('an object', response, 200, 206, 416, 404)
    return response.headers['x-static-large-object']?.toString().toLowerCase() === 'true'
  }, retryPolicy)
}

/** By the manifest, because the listing may not show recent writes. */
async function removeLarge(calls: SwiftCalls, key: string, retryPolicy: RetryPolicy): Promise<void> {
  await withRetries(async () => {
    const body = await expectStatus(
      'the removal of a large object',
      await calls.removeLarge(key),
      200,
      204,
      404,
    )
    // The status is sent before the removal, whose result is in the body. A missing object is not an error.
    const outcome = /"Response Status": *"(\d+)/.exec(body)?.[1] ?? '200'
    if (outcome !== '200' && outcome !== '404')
      throw new StoreUnavailableError(`a large object could not be removed: ${body.slice(0, 500)}`)
  }, retryPolicy)
}

export async function removeObjects(
  calls: SwiftCalls,
  names: readonly string[],
  retryPolicy: RetryPolicy,
): Promise<void> {
  const limit = pLimit(8)
  const remove = (name: string) =>
    withRetries(
      async () => expectStatus('the removal of an object', await calls.remove(name), 204, 200, 404),
      retryPolicy,
    )
  await Promise.all(names.map((name) => limit(() => remove(name))))
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '')
