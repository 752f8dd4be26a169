import { missingData, StoreUnavailableError } from '../backend/backend.ts'
import type { StreamedBody } from '../network/client.ts'
import { withRetries, type RetryPolicy } from '../network/retry-policy.ts'
import { totalSize, type NamedPart, type PartStore } from '../network/parts/part-store.ts'
import { expectStatus } from '../network/store-error.ts'
import { readText } from '../network/client.ts'
import type { SwiftCalls } from './calls.ts'
import { readObject } from './read.ts'
import { listPages, removeAll, removeObjects } from './upload.ts'

const never = new AbortController().signal
const nothing = new Uint8Array()

/** Parts of unfinished files are separate objects, which become the segments of a static large object. */
export function swiftParts(calls: SwiftCalls, container: string, retryPolicy: RetryPolicy): PartStore {
  const put = async (name: string, body: Uint8Array | StreamedBody, signal: AbortSignal) => {
    await withRetries(
      async () => expectStatus('an object', await calls.put(name, body, signal), 201),
      retryPolicy,
      signal,
    )
  }
  return {
    write: put,
    /**
     * Streams the parts through this process: Swift could copy a large object into one object, but Ceph's gateway copies
     * only the list of segments.
     */
    async merge(name, parts, signal) {
      const length = totalSize(parts)
      await put(name, { length, chunks: () => chunksOf(calls, parts, retryPolicy) }, signal)
    },
    exists: (name) =>
      withRetries(async () => {
        const response = await calls.describe(name)
        await expectStatus('an object', response, 200, 206, 416, 404)
        return response.status !== 404
      }, retryPolicy),
    async list(prefix, after, waiting) {
      const names: string[] = []
      for await (const page of listPages(calls, prefix, prefix + after, waiting)) names.push(...page)
      return names
    },
    remove: (names, waiting) => removeObjects(calls, names, waiting),
    async publish(key, parts) {
      if (parts.length === 0) await put(key, nothing, never)
      else await withRetries(() => putManifest(calls, key, manifestOf(container, parts)), retryPolicy)
      return parts.map(({ name }) => name)
    },
    removeAll: (key) => removeAll(calls, key, retryPolicy),
  }
}

/** Names of parts are never reused, so the store needs to compare only their sizes. */
const manifestOf = (container: string, parts: readonly NamedPart[]) =>
  JSON.stringify(parts.map(({ name, size }) => ({ path: `/${container}/${name}`, size_bytes: size })))

/** Idempotent: a manifest that exists is replaced by the same one. */
async function putManifest(calls: SwiftCalls, key: string, manifest: string): Promise<void> {
  const response = await calls.putManifest(key, manifest)
  if (response.status === 404) {
    response.destroy()
    throw missingData(key)
  }
  if (response.status !== 400) {
    await expectStatus('a large object', response, 201)
    return
  }
  const reason = await readText(response, 10_000)
  // Swift lists each invalid segment with the reason.
  if (reason.includes('404 Not Found')) throw missingData(key)
  throw new StoreUnavailableError(`a large object: the store responded with 400 ${reason.slice(0, 500)}`)
}

async function* chunksOf(
  calls: SwiftCalls,
  parts: readonly NamedPart[],
  retryPolicy: RetryPolicy,
): AsyncGenerator<Uint8Array, void> {
  for (const { name, size } of parts) {
    let read = 0
    for await (const chunk of await readObject(calls, name, undefined, retryPolicy)) {
      read += chunk.length
      yield chunk
    }
    if (read !== size)
      throw new StoreUnavailableError(
        `a part of ${String(size)} bytes has ${String(read)} bytes in the store`,
      )
  }
}
