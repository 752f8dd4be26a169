import type { DataBackend } from '../backend/backend.ts'
import { checkKey } from '../backend/key.ts'
import { partBufferPool } from '../network/part-buffer-pool.ts'
import { usualShared, type NetworkStoreTuning, type StoreSurroundings } from '../network/tuning.ts'
import { retryPolicy, persist } from '../network/retry-policy.ts'
import { mostPieces } from '../network/pieces/piece-list.ts'
import { resumablePieces } from '../network/pieces/resumable-pieces.ts'
import { storeClient } from '../network/client.ts'
import { expectStatus } from '../network/store-error.ts'
import { swiftCalls, type SwiftCalls } from './calls.ts'
import { swiftInventory } from './inventory.ts'
import { swiftLimits } from './limits.ts'
import type { SwiftCredentials } from './access.ts'
import { swiftSession } from './session.ts'
import { swiftPieces } from './pieces.ts'
import { readObject } from './read.ts'
import { removeAll, swiftUpload } from './upload.ts'
import { writePartsSequentially } from '../network/sequential-part-writer.ts'

export interface SwiftBackendOptions extends SwiftCredentials {
  /** Made when it does not exist. */
  readonly container: string
  /** Most bytes of a segment of a large object. */
  readonly segmentSize: number
}

const mebibyte = 1024 * 1024

/** Bytes of a piece of an unfinished file that begins at a byte: the longer the file gets, the fewer are small. */
const pieceSize = (start: number) => Math.max(32 * mebibyte, Math.floor(start / 128 / mebibyte) * mebibyte)

/**
 * Data in a container of OpenStack Swift, or of what speaks its API. There is no well kept client of it for Node.
 * @throws StoreUnavailableError when the container can neither be used nor made
 */
export async function swiftBackend(
  options: SwiftBackendOptions,
  { clock, random }: StoreSurroundings,
  { patience = retryPolicy, silence, shared = usualShared, run = 64 }: NetworkStoreTuning = {},
): Promise<DataBackend> {
  const { container } = options
  const client = storeClient(silence === undefined ? {} : { silence })
  const calls = swiftCalls(client, swiftSession(client, options, clock), container)
  await persist(() => ensureContainer(calls, container), patience)
  const limits = await persist(() => swiftLimits(calls), patience)
  const size = Math.min(options.segmentSize, limits.objectSize)
  const memory = partBufferPool({ size, shared })
  const sizes = {
    ...{ memory, size },
    // However short memory is, only half of the segments are small: a file of the other half can always be stored.
    least: (number: number) => (number <= limits.segments / 2 ? Math.min(size, mebibyte) : size),
  }
  const resumable = resumablePieces({
    store: swiftPieces(calls, container, patience),
    sizes: {
      ...{ memory, size },
      least: () => Math.min(size, mebibyte),
      most: (start) => Math.min(size, pieceSize(start)),
    },
    merging: { run, size, limit: Math.min(limits.segments, mostPieces) },
    ...{ clock, random, patience },
  })

  return {
    async add(key, source, signal) {
      checkKey(key)
      const writer = swiftUpload(calls, key, { container, limits, patience })
      await writePartsSequentially(source, signal, sizes, writer)
    },
    async get(key, range) {
      checkKey(key)
      return readObject(calls, key, range, patience)
    },
    async remove(key) {
      checkKey(key)
      await removeAll(calls, key, patience)
    },
    async ping(signal) {
      await expectStatus(`the container ${container}`, await calls.findContainer(signal), 200, 204)
    },
    inventory: swiftInventory(calls, patience),
    ...(limits.leastSegment <= 1 && { resumable }),
  }
}

/** Looks first: many may use a container who may not make one. */
async function ensureContainer(calls: SwiftCalls, container: string): Promise<void> {
  const found = await calls.findContainer()
  await expectStatus(`the container ${container}`, found, 200, 204, 404)
  if (found.status === 404)
    await expectStatus(`making the container ${container}`, await calls.makeContainer(), 201, 202, 204)
}
