import { missingData, type DataBackend, type RandomReader } from '../backend/backend.ts'
import type { Inventory, StoredKey } from '../backend/inventory.ts'
import { checkKey } from '../backend/key.ts'
import { resumableMemory } from './memory-resumable.ts'
import { readRange } from '../backend/read-range.ts'
import { untilAborted } from '../streams/until-aborted.ts'

/** Stores data in the memory of the process, for tests and trials. */
export function memoryBackend(): DataBackend {
  const stored = new Map<string, Uint8Array>()

  const open = (key: string): RandomReader => {
    checkKey(key)
    const bytes = stored.get(key)
    if (bytes === undefined) throw missingData(key)
    return {
      read(into, position) {
        const part = bytes.subarray(position, position + into.length)
        into.set(part)
        return Promise.resolve(part.length)
      },
      close: () => Promise.resolve(),
    }
  }

  const resumable = resumableMemory(stored)

  const inspect = (key: string): StoredKey | null => {
    const bytes = stored.get(key)
    const unfinished = resumable.has(key)
    if (bytes === undefined && !unfinished) return null
    return { key, size: bytes?.length ?? null, unfinished, modifiedAt: 0 }
  }
  const inventory: Inventory = {
    // eslint-disable-next-line @typescript-eslint/require-await -- the interface asks for an asynchronous generator, and nothing here waits
    async *list() {
      for (const key of new Set([...stored.keys(), ...resumable.keys()].sort())) {
        const found = inspect(key)
        if (found !== null) yield found
      }
    },
    inspect: (key) =>
      Promise.try(() => {
        checkKey(key)
        return inspect(key)
      }),
    removeUnfinished: (key) =>
      Promise.try(() => {
        checkKey(key)
        resumable.removeUnfinished(key)
      }),
  }

  return {
    async add(key, source, signal) {
      checkKey(key)
      signal.throwIfAborted()
      const chunks: Uint8Array[] = []
      // Copies: a chunk's memory belongs to the source.
      for await (const chunk of untilAborted(source, signal)) chunks.push(new Uint8Array(chunk))
      signal.throwIfAborted()
      stored.set(key, Buffer.concat(chunks))
    },
    // Refusals are rejections, as in every backend.
    get: (key, range) => Promise.try(() => readRange(open(key), range)),
    remove: (key) =>
      Promise.try(() => {
        checkKey(key)
        stored.delete(key)
        resumable.removeUnfinished(key)
      }),
    open: (key) => Promise.try(() => open(key)),
    inventory,
    resumable: resumable.writes,
  }
}
