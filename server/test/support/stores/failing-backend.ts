import type { DataBackend, RandomReader } from '../../../src/data/backend/backend.ts'

/** The error that the test injects. */
export class FailingBackendError extends Error {
  override readonly name = 'FailingBackendError'
}

export interface FailingBackendOptions {
  /**
   * The operation that fails, counted from 1: each call, each chunk that is written or read, each read and
   * close.
   */
  readonly failAt: number
}

/** Wraps a store so that one operation fails; all others succeed. */
export function failingBackend(sound: DataBackend, { failAt }: FailingBackendOptions): DataBackend {
  let count = 0
  const step = () => {
    count += 1
    if (count === failAt) throw new FailingBackendError(`operation ${String(count)} fails`)
  }
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      step()
      yield chunk
    }
    step()
  }
  const countedReader = (reader: RandomReader): RandomReader => ({
    async read(into, position) {
      step()
      return reader.read(into, position)
    },
    async close() {
      await reader.close()
      step()
    },
  })
  const { open, freeSpace } = sound
  return {
    async add(key, source, signal) {
      step()
      await sound.add(key, counted(source), signal)
    },
    async get(key, range) {
      step()
      return counted(await sound.get(key, range))
    },
    async remove(key) {
      step()
      await sound.remove(key)
    },
    ...(open !== undefined && {
      async open(key: string) {
        step()
        return countedReader(await open(key))
      },
    }),
    ...(freeSpace !== undefined && { freeSpace }),
  }
}
