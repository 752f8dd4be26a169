import { MissingContainerError, type DataBackend } from '../backend/backend.ts'
import { checkKey } from '../backend/key.ts'
import { partBufferPool } from '../network/part-buffer-pool.ts'
import { partMemory } from '../network/part-memory.ts'
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
import { mebibyte } from '../../domain/sizes.ts'

export interface SwiftBackendOptions extends SwiftCredentials {
  readonly container: string
  /** The most bytes of a segment of a large object. */
  readonly segmentSize: number
}

/** The size of a part of an unfinished file that begins at `start`. It grows with the file, which limits their number. */
const pieceSize = (start: number) => Math.max(32 * mebibyte, Math.floor(start / 128 / mebibyte) * mebibyte)

/**
 * Stores data in a container of OpenStack Swift, or of a compatible store. There is no maintained client for Node.
 * @throws StoreUnavailableError when it cannot be used. Without the container, it can.
 */
export async function swiftBackend(
  options: SwiftBackendOptions,
  { clock, random }: StoreDependencies,
  {
    retryPolicy = defaultRetryPolicy,
    idleTimeout,
    sharedBytes: shared = defaultSharedBytes,
    memory = partMemory(),
    mergeCount = 64,
  }: NetworkStoreTuning = {},
): Promise<DataBackend> {
  const { container } = options
  const client = storeClient(idleTimeout === undefined ? {} : { idleTimeout })
  const calls = swiftCalls(client, swiftSession(client, options, clock), container)
  const hasContainer = await withRetries(() => containerExists(calls), retryPolicy)
  const limits = await withRetries(() => swiftLimits(calls), retryPolicy)
  const size = Math.min(options.segmentSize, limits.objectSize)
  const pool = partBufferPool({ size, shared, memory })
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
    async add(key, source, signal, sender) {
      checkKey(key)
      const writer = swiftUpload(calls, key, { container, limits, retryPolicy })
      await writePartsSequentially(source, signal, { ...sizes, sender }, writer)
    },
    async get(key, range) {
      checkKey(key)
      return readObject(calls, key, range, retryPolicy)
    },
    async remove(key) {
      checkKey(key)
      await removeAll(calls, key, retryPolicy)
    },
    ping: (signal) => calls.requireContainer(signal),
    async createMissing() {
      // An account may have access to a container without permission to create one.
      if (!hasContainer) await withRetries(() => makeContainer(calls, container), retryPolicy)
    },
    inventory: swiftInventory(calls, retryPolicy),
    ...(limits.leastSegment <= 1 && { resumable }),
  }
}

async function containerExists(calls: SwiftCalls): Promise<boolean> {
  try {
    await calls.requireContainer()
    return true
  } catch (error) {
    if (error instanceof MissingContainerError) return false
    throw error
  }
}

async function makeContainer(calls: SwiftCalls, container: string): Promise<void> {
  await expectStatus(`making the container ${container}`, await calls.makeContainer(), 201, 202, 204)
}
