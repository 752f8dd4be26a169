import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NoSpaceError, type DataBackend } from '../../src/data/backend.ts'
import { fileBackend } from '../../src/data/file.ts'
import { bytesOf, pieces } from './bytes.ts'
import { manualClock } from '../support/manual-clock.ts'

const run = promisify(execFile)
const never = new AbortController().signal
const disk = 1024 * 1024

let directory: string
let backend: DataBackend

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-full-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${String(disk)}`, 'tmpfs', directory])
  } catch (cause) {
    throw new Error('this test needs a small disk of its own: run it as root, allowed to mount a tmpfs', {
      cause,
    })
  }
  backend = fileBackend({ directory, fsync: true }, manualClock())
})
afterAll(async () => {
  await run('umount', [directory])
  await rm(directory, { recursive: true })
})

const files = async () =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

test('a full disk is told apart from other failures, leaves nothing, and can be used again', async () => {
  await expect(backend.add('key1', pieces(bytesOf(2 * disk), 65_536), never)).rejects.toThrow(NoSpaceError)
  expect(await files()).toEqual([])
  await backend.add('key2', pieces(bytesOf(disk / 2), 65_536), never)
  expect((await files()).map(({ name }) => name)).toEqual(['key2'])
  await backend.remove('key2')
})

test('free space is what can still be written', async () => {
  const before = await backend.freeSpace?.()
  await backend.add('key3', pieces(bytesOf(disk / 4), 65_536), never)
  const after = await backend.freeSpace?.()
  expect(before).toBeLessThanOrEqual(disk)
  expect((before ?? 0) - (after ?? 0)).toBe(disk / 4)
  await backend.remove('key3')
})
