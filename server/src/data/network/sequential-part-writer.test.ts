import { describe, expect, test } from 'vitest'
import type { Part } from './gather-parts.ts'
import { partBufferPool } from './part-buffer-pool.ts'
import { writePartsSequentially } from './sequential-part-writer.ts'

const never = new AbortController().signal
const size = 256 * 1024
const reason = new Error('cut')

// eslint-disable-next-line @typescript-eslint/require-await -- a source is asynchronous
async function* source(bytes: number) {
  for (let left = bytes; left > 0; left -= size) yield new Uint8Array(Math.min(left, size)).fill(7)
}

/** Memory for two parts in addition to one that another upload holds; `write` is the writer under test. */
function setup(write: (part: Part, signal: AbortSignal) => Promise<void>) {
  const memory = partBufferPool({ size, shared: 3 * size, max: 3 * size })
  const other = memory.forUpload().acquire(never)
  let undone = 0
  const undo = () => {
    undone += 1
    return Promise.resolve()
  }
  return {
    memory,
    other,
    undone: () => undone,
    add: (chunks: AsyncIterable<Uint8Array>, signal = never) =>
      writePartsSequentially(chunks, signal, { pool: memory, size, min: () => size }, { write, undo }),
  }
}

/** All of the memory is available again. */
async function expectAllBack({ memory, other }: ReturnType<typeof setup>): Promise<readonly Uint8Array[]> {
  await other
  const share = memory.forUpload()
  return [await share.acquire(never), await share.acquire(never)]
}

describe('parts that are written sequentially', () => {
  test('are written in order, one at a time, while the next one is gathered', async () => {
    const gathered = Promise.withResolvers<undefined>()
    const starts: number[] = []
    let running = 0
    const here = setup(async ({ start }) => {
      starts.push(start)
      running += 1
      expect(running).toBe(1)
      // Would wait forever if the source were read only afterwards.
      await gathered.promise
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
    })
    async function* watchedSource() {
      yield* source(2 * size)
      gathered.resolve(undefined)
      yield* source(size + 1)
    }
    await here.add(watchedSource())
    expect(starts).toEqual([0, size, 2 * size, 3 * size])
    expect(here.undone()).toBe(0)
    await expectAllBack(here)
  })

  test('that fail are undone, and their memory is not reused', async () => {
    const written: ArrayBufferLike[] = []
    const here = setup(({ bytes, start }) => {
      written.push(bytes.buffer)
      return start === 0 ? Promise.resolve() : Promise.reject(reason)
    })
    await expect(here.add(source(4 * size))).rejects.toBe(reason)
    expect(here.undone()).toBe(1)
    const again = await expectAllBack(here)
    expect(again.map(({ buffer }) => buffer)).not.toContain(written[1])
  })

  test('that are aborted are undone once the request has ended, and their memory is not reused', async () => {
    const abort = new AbortController()
    const held = Promise.withResolvers<undefined>()
    let written: ArrayBufferLike | undefined
    const here = setup(async ({ bytes }, signal) => {
      written = bytes.buffer
      signal.addEventListener('abort', () => {
        held.resolve(undefined)
      })
      abort.abort(reason)
      await held.promise
      signal.throwIfAborted()
    })
    await expect(here.add(source(4 * size), abort.signal)).rejects.toBe(reason)
    expect(here.undone()).toBe(1)
    const again = await expectAllBack(here)
    expect(again.map(({ buffer }) => buffer)).not.toContain(written)
  })

  test('whose source fails are undone', async () => {
    const here = setup(() => Promise.resolve())
    async function* broken() {
      yield* source(2 * size)
      throw reason
    }
    await expect(here.add(broken())).rejects.toBe(reason)
    expect(here.undone()).toBe(1)
    await expectAllBack(here)
  })
})
