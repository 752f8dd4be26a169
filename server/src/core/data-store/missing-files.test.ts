import { pino } from 'pino'
import { expect, test } from 'vitest'
import { manualClock } from '../../../test/support/clocks/manual-clock.ts'
import { missingData, StoreUnavailableError } from '../../data/backend/backend.ts'
import type { FileRecord } from '../../domain/records.ts'
import { missingFiles } from './missing-files.ts'

const fileOf = (id: string) => ({ id: id.padEnd(16, '0'), uploadId: 'upload0000000000' })

function watchedFiles(status: FileRecord['status'] | null = 'uploaded') {
  const clock = manualClock()
  const lines: unknown[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) })
  const found = status === null ? undefined : ({ status } as FileRecord)
  const { watch, watchBytes } = missingFiles({
    store: { files: { find: () => Promise.resolve(found) } },
    log,
    clock,
  })
  const read = async (id: string, error: Error = missingData(id)) => {
    await expect(watch(fileOf(id), Promise.reject(error))).rejects.toBe(error)
  }
  return { clock, lines, watch, watchBytes, read }
}

const line = (file: string, files: number) =>
  expect.objectContaining({ level: 40, upload: 'uplo…', file, files }) as unknown

test('a file without bytes is logged once, with shortened ids', async () => {
  const { clock, lines, read } = watchedFiles()
  await read('lost')
  clock.advance(3_600_000)
  await read('lost')
  expect(lines).toEqual([line('lost…', 1)])
  expect(JSON.stringify(lines)).not.toContain('lost0')
})

test('many files have one line a minute, which counts them', async () => {
  const { clock, lines, read } = watchedFiles()
  for (const id of ['aaaa', 'bbbb', 'cccc']) await read(id)
  expect(lines).toEqual([line('aaaa…', 1)])
  clock.advance(60_000)
  await read('dddd')
  expect(lines).toEqual([line('aaaa…', 1), line('dddd…', 3)])
})

test.each(['removed', 'deleted', null] as const)(
  'a file that is %s meanwhile is not logged',
  async (status) => {
    const { lines, read } = watchedFiles(status)
    await read('gone')
    expect(lines).toEqual([])
  },
)

test('an outage is not logged, and a result is passed on', async () => {
  const { lines, watch, read } = watchedFiles()
  await read('file', new StoreUnavailableError('unavailable'))
  expect(await watch(fileOf('file'), Promise.resolve('bytes'))).toBe('bytes')
  expect(lines).toEqual([])
})

test('a file whose bytes turn out to be missing in the middle is logged once', async () => {
  const { lines, watchBytes, read } = watchedFiles()
  async function* breaking() {
    yield new Uint8Array(3)
    await Promise.reject(missingData('half'))
  }
  let size = 0
  const readAll = async () => {
    for await (const chunk of watchBytes(fileOf('half'), breaking())) size += chunk.length
  }
  await expect(readAll()).rejects.toThrow('nothing is stored under half')
  await read('half')
  expect([size, lines]).toEqual([3, [line('half…', 1)]])
})

test('a reader that stops before the first chunk ends the read of the store', async () => {
  const { watchBytes } = watchedFiles()
  let ended = 0
  const bytes: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.resolve({ done: true, value: undefined }),
      return: () => Promise.resolve({ done: true, value: (ended += 1) }),
    }),
  }
  await watchBytes(fileOf('file'), bytes)[Symbol.asyncIterator]().return?.()
  expect(ended).toBe(1)
})
