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
    // eslint-disable-next-line @typescript-eslint/require-await -- a listing is asynchronous
    async *list() {
      for (const key of new Set([...stored.keys(), ...resumable.keys()].sort())) {
        const found = inspect(key)
        if (found !== null) yield found
      }
    },
    // eslint-disable-next-line @typescript-eslint/require-await -- refusals are rejections, as in every backend
    async inspect(key) {
      checkKey(key)
      return inspect(key)
    },
    // eslint-disable-next-line @typescript-eslint/require-await -- refusals are rejections, as in every backend
    async removeUnfinished(key) {
      checkKey(key)
      resumable.removeUnfinished(key)
    },
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
    // eslint-disable-next-line @typescript-eslint/require-await -- refusals are rejections, as in every backend
    get: async (key, range) => readRange(open(key), range),
    // eslint-disable-next-line @typescript-eslint/require-await -- refusals are rejections, as in every backend
    remove: async (key) => {
      checkKey(key)
      stored.delete(key)
      resumable.removeUnfinished(key)
    },
    // eslint-disable-next-line @typescript-eslint/require-await -- refusals are rejections, as in every backend
    open: async (key) => open(key),
    inventory,
    resumable: resumable.writes,
  }
}
