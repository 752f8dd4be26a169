import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DataBackend } from '../../../src/data/backend/backend.ts'
import { bytesOf, collect, inChunks } from '../../support/bytes.ts'
import { never } from '../../support/signals.ts'

/** More than a file that needs no memory of the pool, and less than a part. */
const bytes = bytesOf(200_000)

interface Write {
  readonly key: string
  readonly sender: string
  readonly source: AsyncIterable<Uint8Array>
  readonly signal?: AbortSignal
}

const writes: Readonly<Record<string, (backend: DataBackend, write: Write) => Promise<void>>> = {
  whole: (backend, { key, sender, source, signal = never }) => backend.add(key, source, signal, sender),
  resumable: async ({ resumable }, { key, sender, source, signal = never }) => {
    if (resumable === undefined) throw new Error('no resumable uploads')
    const commit = () => Promise.resolve()
    const stored = await resumable.append(key, await resumable.begin(key), source, { signal, commit, sender })
    await resumable.finish(key, stored)
  },
}

/** @param open a backend with memory for exactly two parts */
export function testSharedMemory(name: string, open: () => Promise<DataBackend>): void {
  test.each(Object.entries(writes))(
    `${name}: a %s upload gets memory beside slow uploads of another sender`,
    async (_, write) => {
      const backend = await open()
      const cut = new AbortController()
      const slow: Promise<unknown>[] = []
      const startSlow = async (key: string) => {
        const begun = Promise.withResolvers<undefined>()
        async function* source() {
          begun.resolve(undefined)
          yield* inChunks(bytes, bytes.length)
          await new Promise(() => undefined)
        }
        slow.push(
          write(backend, { key, sender: 'slow', source: source(), signal: cut.signal }).catch(
            () => undefined,
          ),
        )
        await begun.promise
        // It takes its first chunk, and waits for memory or for the next chunk.
        await nextIteration()
      }
      await startSlow('slow1')
      await startSlow('slow2')

      await write(backend, { key: 'other', sender: 'other', source: inChunks(bytes, 50_000) })
      expect((await collect(await backend.get('other'))).equals(bytes)).toBe(true)
      cut.abort()
      await Promise.all(slow)
    },
  )
}
