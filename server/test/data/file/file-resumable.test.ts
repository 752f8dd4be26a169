import { readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { MissingDataError, type DataBackend } from '../../../src/data/backend/backend.ts'
import { fileBackend } from '../../../src/data/file/file.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { resumableCaller, type ResumableCaller } from '../../support/stores/resumable-caller.ts'
import { until } from '../../support/until.ts'
import { bytesOf } from '../../support/bytes.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

const clock = manualClock()

let directory: string
let backend: DataBackend
let file: ResumableCaller

beforeEach(async () => {
  directory = await temporaryDirectory()
  backend = fileBackend({ directory, fsync: true }, clock)
  file = await resumableCaller('ABcd', () => backend)
})

/** The reported offsets for a source with one late chunk. */
async function reportedOffsets(ms: number): Promise<ReadonlySet<number>> {
  // eslint-disable-next-line @typescript-eslint/require-await -- a source is asynchronous
  async function* slow() {
    yield bytesOf(1_000)
    yield bytesOf(1_000)
    clock.advance(ms)
    yield bytesOf(1_000)
    yield bytesOf(1_000)
  }
  await file.appendFrom(slow())
  return new Set(file.history().map(({ offset }) => offset))
}

test('chunks that arrive within two seconds are reported at once', async () => {
  expect(await reportedOffsets(2_000)).toEqual(new Set([0, 4_000]))
})

test('a sender that pauses for more than two seconds loses nothing of the earlier chunks', async () => {
  expect(await reportedOffsets(2_001)).toEqual(new Set([0, 3_000, 4_000]))
})

test('a pause of the sender commits what arrived before', async () => {
  const paused = Promise.withResolvers<undefined>()
  async function* pausing() {
    yield bytesOf(1_001)
    yield new Uint8Array()
    await paused.promise
    yield bytesOf(1_000)
  }
  const appended = file.appendFrom(pausing())
  await until('it is committed', () => file.lastPart().offset === 1_001)
  paused.resolve(undefined)
  await appended
  expect(file.lastPart().offset).toBe(2_001)
})

test('a file is truncated to its committed size before the next write', async () => {
  await file.append(bytesOf(10_000))
  file.goBack({ offset: 100, session: '' })
  await file.append(new Uint8Array())
  expect(await readFile(join(directory, 'AB', 'ABcd.part'))).toHaveLength(100)
})

test('a file that lost bytes can be neither continued nor finished', async () => {
  await file.append(bytesOf(10_000))
  await truncate(join(directory, 'AB', 'ABcd.part'), 9_999)
  await expect(file.append(bytesOf(10))).rejects.toThrow(MissingDataError)
  await expect(file.finish()).rejects.toThrow(MissingDataError)
})

test('a finished file of another size does not count as finished', async () => {
  await file.append(bytesOf(10_000))
  await file.finish()
  await truncate(join(directory, 'AB', 'ABcd'), 9_999)
  await expect(file.finish()).rejects.toThrow(MissingDataError)
})
