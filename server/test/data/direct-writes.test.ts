import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { directWrites } from '../../src/data/direct-writes.ts'
import { fileBackend } from '../../src/data/file.ts'
import { sharedBytes } from '../../src/io/hasher-pool.ts'
import { bytesOf } from './bytes.ts'
import { manualClock } from '../support/manual-clock.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const never = new AbortController().signal

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-direct-'))
})
afterEach(() => rm(directory, { recursive: true }))

/** Memory that begins at a page, as that of bodies on their way in. */
function aligned(bytes: Uint8Array): Uint8Array {
  const memory = sharedBytes(bytes.length)
  memory.set(bytes)
  return memory
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T, void> {
  for (const value of values) yield await Promise.resolve(value)
}

test('a store keeps blocks that go straight to the disk and others in their order', async () => {
  const sizes = [128, 1024, 1024, 128, 1024, 700.5, 1024, 3]
  const chunks = sizes.map((size, seed) => bytesOf(size * kibibyte, seed + 1))
  for (const memory of [aligned, Uint8Array.from.bind(Uint8Array)]) {
    const store = fileBackend({ directory, fsync: true }, manualClock())
    await store.add('key', each(chunks.map((chunk) => memory(chunk))), never)
    const stored = await readFile(join(directory, 'ke', 'key'))
    expect(stored.equals(Buffer.concat(chunks))).toBe(true)
    await store.remove('key')
  }
})

test('blocks of aligned memory go straight to the disk, and the rest is left to the usual way', async () => {
  const path = join(directory, 'file')
  await writeFile(path, '')
  const block = aligned(bytesOf(mebibyte))
  const direct = directWrites(path)
  expect(await direct.write(block, 0)).toBe(mebibyte)
  expect(await direct.write(block.subarray(0, mebibyte - 1), mebibyte)).toBe(0)
  expect(await direct.write(block, mebibyte + 1)).toBe(0)
  expect(await direct.write(block.subarray(0, 4096), mebibyte)).toBe(0)
  expect(await direct.write(block, mebibyte)).toBe(mebibyte)
  await direct.close()
  expect((await readFile(path)).equals(Buffer.concat([block, block]))).toBe(true)
})

test('a file that cannot be opened again is left to the usual way', async () => {
  const path = join(directory, 'removed')
  const file = await open(path, 'w')
  await rm(path)
  const direct = directWrites(path)
  expect(await direct.write(aligned(bytesOf(mebibyte)), 0)).toBe(0)
  await direct.close()
  await file.close()
})
