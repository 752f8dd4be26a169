import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MissingDataError, type DataBackend } from '../../src/data/backend/backend.ts'
import { fileBackend } from '../../src/data/file/file.ts'
import { manualClock } from '../support/manual-clock.ts'
import { resumableCaller, type ResumableCaller } from '../support/resumable-caller.ts'
import { bytesOf } from './bytes.ts'

const clock = manualClock()

let directory: string
let backend: DataBackend
let file: ResumableCaller

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-pieces-'))
  backend = fileBackend({ directory, fsync: true }, clock)
  file = await resumableCaller('ABcd', () => backend)
})
afterEach(() => rm(directory, { recursive: true }))

/** What was told of a source of which one chunk came some time after the others. */
async function toldOf(ms: number): Promise<ReadonlySet<number>> {
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

test('what comes within two seconds is told at once', async () => {
  expect(await toldOf(2_000)).toEqual(new Set([0, 4_000]))
})

test('a sender that takes more than two seconds loses nothing that came before', async () => {
  expect(await toldOf(2_001)).toEqual(new Set([0, 3_000, 4_000]))
})

test('a file is cut to what was kept before anything is written to it', async () => {
  await file.append(bytesOf(10_000))
  file.goBack({ offset: 100, session: '' })
  await file.append(new Uint8Array())
  expect(await readFile(join(directory, 'AB', 'ABcd.part'))).toHaveLength(100)
})

test('a file that lost bytes is not gone on with, and not finished', async () => {
  await file.append(bytesOf(10_000))
  await truncate(join(directory, 'AB', 'ABcd.part'), 9_999)
  await expect(file.append(bytesOf(10))).rejects.toThrow(MissingDataError)
  await expect(file.finish()).rejects.toThrow(MissingDataError)
})

test('a finished file of another size is none that was finished before', async () => {
  await file.append(bytesOf(10_000))
  await file.finish()
  await truncate(join(directory, 'AB', 'ABcd'), 9_999)
  await expect(file.finish()).rejects.toThrow(MissingDataError)
})
