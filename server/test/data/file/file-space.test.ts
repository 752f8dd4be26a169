import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NoSpaceError, type DataBackend } from '../../../src/data/backend/backend.ts'
import { fileBackend } from '../../../src/data/file/file.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { chunksOf, resumableCaller } from '../../support/stores/resumable-caller.ts'
import { bytesOf, collect, inChunks } from '../../support/bytes.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { never } from '../../support/signals.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

const run = promisify(execFile)
const disk = mebibyte

let directory: string
let backend: DataBackend

beforeAll(async () => {
  directory = await temporaryDirectory()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${String(disk)}`, 'tmpfs', directory])
  } catch (cause) {
    throw new Error('this test needs a small disk: run it as root, allowed to mount a tmpfs', {
      cause,
    })
  }
  backend = fileBackend({ directory, fsync: true }, manualClock())
})
afterAll(async () => {
  await run('umount', [directory])
})

const files = async () =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

test('a full disk has a separate error, leaves nothing behind, and can be used again', async () => {
  await expect(backend.add('key1', inChunks(bytesOf(2 * disk), 65_536), never)).rejects.toThrow(NoSpaceError)
  expect(await files()).toEqual([])
  await backend.add('key2', inChunks(bytesOf(disk / 2), 65_536), never)
  expect((await files()).map(({ name }) => name)).toEqual(['key2'])
  await backend.remove('key2')
})

test('free space is the number of bytes that can still be written', async () => {
  const before = await backend.freeSpace?.()
  await backend.add('key3', inChunks(bytesOf(disk / 4), 65_536), never)
  const after = await backend.freeSpace?.()
  expect(before).toBeLessThanOrEqual(disk)
  expect((before ?? 0) - (after ?? 0)).toBe(disk / 4)
  await backend.remove('key3')
})

test('a file that fills the disk keeps the stored bytes, and continues when there is more space', async () => {
  await backend.add('key4', inChunks(bytesOf(disk / 2), 65_536), never)
  const bytes = bytesOf(disk * 0.75, 2)
  const file = await resumableCaller('key5', () => backend)
  await expect(file.append(bytes, [65_536])).rejects.toThrow(NoSpaceError)
  const { offset } = file.lastPart()
  expect(offset).toBeGreaterThan(0)
  await expect(file.append(bytes.subarray(offset))).rejects.toThrow(NoSpaceError)
  await backend.remove('key4')
  await file.appendFrom(chunksOf(bytes.subarray(file.lastPart().offset), [65_536]))
  await file.finish()
  expect((await collect(await backend.get('key5'))).equals(bytes)).toBe(true)
  await file.discard()
  expect(await files()).toEqual([])
})
