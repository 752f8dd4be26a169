import type { DataBackend } from '../backend/backend.ts'
import { checkKey } from '../backend/key.ts'
import { partBufferPool } from '../network/part-buffer-pool.ts'
import { defaultSharedBytes, type NetworkStoreTuning, type StoreDependencies } from '../network/tuning.ts'
import { defaultRetryPolicy, withRetries } from '../network/retry-policy.ts'
import { maxParts } from '../network/parts/part-list.ts'
import { resumableParts } from '../network/parts/resumable-parts.ts'
import { storeClient } from '../network/client.ts'
import { expectStatus } from '../network/store-error.ts'
import { swiftCalls, type SwiftCalls } from './calls.ts'
import { swiftInventory } from './inventory.ts'
import { swiftLimits } from './limits.ts'
import type { SwiftCredentials } from './access.ts'
import { swiftSession } from './session.ts'
import { swiftParts } from './part-store.ts'
import { readObject } from './read.ts'
import { removeAll, swiftUpload } from './upload.ts'
import { writePartsSequentially } from '../network/sequential-part-writer.ts'

export interface SwiftBackendOptions extends SwiftCredentials {
  /** Created when it does not exist. */
  readonly container: string
  /** The most bytes of a segment of a large object. */
  readonly segmentSize: number
}

const mebibyte = 1024 * 1024

/** The size of a part of an unfinished file that begins at `start`. It grows with the file, which limits their number. */
const pieceSize = (start: number) => Math.max(32 * mebibyte, Math.floor(start / 128 / mebibyte) * mebibyte)

/**
 * Stores data in a container of OpenStack Swift, or of a compatible store. There is no maintained client for Node.
 * @throws StoreUnavailableError when the container can neither be used nor created
 */
export async function swiftBackend(
  options: SwiftBackendOptions,
  { clock, random }: StoreDependencies,
  {
    retryPolicy = defaultRetryPolicy,
    idleTimeout,
    sharedBytes: shared = defaultSharedBytes,
    mergeCount = 64,
  }: NetworkStoreTuning = {},
): Promise<DataBackend> {
  const { container } = options
  const client = storeClient(idleTimeout === undefined ? {} : { idleTimeout })
  const calls = swiftCalls(client, swiftSession(client, options, clock), container)
  await withRetries(() => ensureContainer(calls, container), retryPolicy)
  const limits = await withRetries(() => swiftLimits(calls), retryPolicy)
  const size = Math.min(options.segmentSize, limits.objectSize)
  const pool = partBufferPool({ size, shared })
  const sizes = {
    pool,
    size,
    // Even when memory is short, only half of the segments are small, so that the other half suffices for a large file.
    min: (number: number) => (number <= limits.segments / 2 ? Math.min(size, mebibyte) : size),
  }
  const resumable = resumableParts({
    store: swiftParts(calls, container, retryPolicy),
    sizes: {
      pool,
      size,
      min: () => Math.min(size, mebibyte),
      max: (start) => Math.min(size, pieceSize(start)),
    },
    merging: { count: mergeCount, maxSize: size, maxParts: Math.min(limits.segments, maxParts) },
    clock,
    random,
    retryPolicy,
  })

  return {
    async add(key, source, signal) {
      checkKey(key)
      const writer = swiftUpload(calls, key, { container, limits, retryPolicy })
      await writePartsSequentially(source, signal, sizes, writer)
    },
    async get(key, range) {
      checkKey(key)
      return readObject(calls, key, range, retryPolicy)
    },
    async remove(key) {
      checkKey(key)
      await removeAll(calls, key, retryPolicy)
    },
    async ping(signal) {
      await expectStatus(`the container ${container}`, await calls.findContainer(signal), 200, 204)
    },
    inventory: swiftInventory(calls, retryPolicy),
    ...(limits.leastSegment <= 1 && { resumable }),
  }
}

/** Checks first, because an account may have access to a container without permission to create one. */
async function ensureContainer(calls: SwiftCalls, container: string): Promise<void> {
  const found = await calls.findContainer()
  await expectStatus(`the container ${container}`, found, 200, 204, 404)
  if (found.status === 404)
    await expectStatus(`making the container ${container}`, await calls.makeContainer(), 201, 202, 204)
}
