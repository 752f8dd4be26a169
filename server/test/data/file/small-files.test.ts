import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { fileBackend } from '../../../src/data/file/file.ts'
import { startSmallFilesThread } from '../../../src/data/file/small-files/small-files-thread.ts'
import { maxSmallFileSize } from '../../../src/data/file/small-files/small-files.ts'
import { stopIdleThreads } from '../../../src/platform/start-thread.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { bytesOf, inChunks } from '../../support/bytes.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { never } from '../../support/signals.ts'

let directory: string
beforeEach(async () => {
  directory = await temporaryDirectory()
})

const files = async () =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

describe.each([true, false])('a directory with fsync %s', (fsync) => {
  const backend = () => fileBackend({ directory, fsync }, manualClock())

  test.for([
    ['nothing', []],
    ['a byte', [1]],
    ['the largest small file', [maxSmallFileSize]],
    ['one byte more than a small file', [maxSmallFileSize + 1]],
    ['two small chunks', [10, 20]],
    ['a small chunk before a large one', [10, 100_000]],
  ] as const)('stores %s', async ([, sizes]) => {
    const chunks = sizes.map((size, number) => bytesOf(size, number))
    /** Memory that is overwritten as soon as the next chunk is requested. */
    const reused = Buffer.alloc(Math.max(0, ...sizes))
    async function* source() {
      for (const chunk of chunks) {
        await Promise.resolve()
        reused.set(chunk)
        yield reused.subarray(0, chunk.length)
        reused.fill(0)
      }
    }
    await backend().add('ABkey', source(), never)
    expect((await readFile(join(directory, 'AB/ABkey'))).equals(Buffer.concat(chunks))).toBe(true)
    expect(await files()).toEqual(['ABkey'])
  })

  test('keeps nothing of a source that fails behind a small chunk', async () => {
    async function* source() {
      yield bytesOf(10)
      await Promise.resolve()
      throw new Error('cut')
    }
    await expect(backend().add('ABkey', source(), never)).rejects.toThrow('cut')
    expect(await files()).toEqual([])
  })

  test('keeps nothing of a small file that is aborted at its end', async () => {
    const giveUp = new AbortController()
    async function* source() {
      yield bytesOf(10)
      await Promise.resolve()
      giveUp.abort(new Error('given up'))
    }
    await expect(backend().add('ABkey', source(), giveUp.signal)).rejects.toThrow('given up')
    expect(await files()).toEqual([])
  })

  test.each([10, maxSmallFileSize + 1])(
    'keeps nothing of a file of %i bytes that is aborted while it is stored',
    async (size) => {
      const giveUp = new AbortController()
      const sourceEnd = Promise.withResolvers<undefined>()
      async function* source() {
        yield bytesOf(size)
        await Promise.resolve()
        sourceEnd.resolve(undefined)
      }
      const added = backend().add('ABkey', source(), giveUp.signal)
      await sourceEnd.promise
      // All steps that need no system call precede this, and the results of system calls follow it.
      await new Promise((resolve) => setImmediate(resolve))
      giveUp.abort(new Error('given up'))
      await expect(added).rejects.toThrow('given up')
      expect(await files()).toEqual([])
    },
  )

  test('stores many small files at once', async () => {
    const store = backend()
    const keys = Array.from({ length: 200 }, (_, number) => `k${String(number)}`)
    await Promise.all(keys.map((key, number) => store.add(key, inChunks(bytesOf(100, number), 100), never)))
    const contents = await Promise.all(keys.map((key) => readFile(join(directory, key.slice(0, 2), key))))
    expect(contents.every((content, number) => content.equals(bytesOf(100, number)))).toBe(true)
  })
})

describe('the thread for small files', () => {
  const file = (name: string) => {
    const path = join(directory, name)
    return { part: `${path}.part`, path, bytes: bytesOf(10), fsync: true }
  }

  test('reports a failed system call, and continues', async () => {
    const thread = startSmallFilesThread(vi.fn())
    await writeFile(join(directory, 'taken.part'), "another's")
    const taken = thread.store(file('taken'))
    const nowhere = thread.store(file('nowhere/file'))
    const good = thread.store(file('good'))
    await expect(taken).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(nowhere).rejects.toMatchObject({ code: 'ENOENT' })
    await good
    expect(await readFile(join(directory, 'taken.part'), 'utf8')).toBe("another's")
    expect((await files()).sort()).toEqual(['good', 'taken.part'])
    await thread.stop()
  })

  test('that stops fails its pending work, and reports it once', async () => {
    const onEnd = vi.fn<() => void>()
    const thread = startSmallFilesThread(onEnd)
    const lost = thread.store(file('lost'))
    await Promise.all([
      expect(lost).rejects.toThrow('the thread that stores small files has stopped'),
      thread.stop(),
    ])
    expect(onEnd).toHaveBeenCalledOnce()
  })

  test('is stopped when it is idle, not while it works', async () => {
    const onEnd = vi.fn<() => void>()
    const thread = startSmallFilesThread(onEnd)
    const stored = thread.store(file('kept'))
    stopIdleThreads()
    await stored
    expect(onEnd).not.toHaveBeenCalled()
    stopIdleThreads()
    stopIdleThreads()
    expect(onEnd).toHaveBeenCalledOnce()
    await thread.stop()
    expect(onEnd).toHaveBeenCalledOnce()
    await fileBackend({ directory, fsync: true }, manualClock()).add(
      'ABnext',
      inChunks(bytesOf(10), 10),
      never,
    )
    expect((await files()).toSorted()).toEqual(['ABnext', 'kept'])
  })
})
