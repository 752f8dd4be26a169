import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { directWrites } from '../../../src/data/file/disk/direct-writes.ts'
import { fileBackend } from '../../../src/data/file/file.ts'
import { sequentialWriter } from '../../../src/data/file/disk/sequential-writer.ts'
import { sharedBytes } from '../../../src/io/shared-bytes.ts'
import { bytesOf } from '../../support/bytes.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { never } from '../../support/signals.ts'
import { kibibyte, mebibyte } from '../../../src/domain/sizes.ts'

let directory: string

beforeEach(async () => {
  directory = await temporaryDirectory()
})

/** Memory that begins at a page, as that of received bodies. */
function aligned(bytes: Uint8Array): Uint8Array {
  const memory = sharedBytes(bytes.length)
  memory.set(bytes)
  return memory
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T, void> {
  for (const value of values) yield await Promise.resolve(value)
}

test('a store keeps the order of direct and buffered blocks', async () => {
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

test('blocks of aligned memory bypass the page cache, and the rest is buffered', async () => {
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

test('a file that cannot be opened for direct writes is buffered', async () => {
  const path = join(directory, 'removed')
  const file = await open(path, 'w')
  await rm(path)
  const direct = directWrites(path)
  expect(await direct.write(aligned(bytesOf(mebibyte)), 0)).toBe(0)
  await direct.close()
  await file.close()
})

test('blocks behind an unaligned beginning are shifted and bypass the page cache', async () => {
  const path = join(directory, 'file')
  const beginning = bytesOf(12_345)
  await writeFile(path, beginning)
  const file = await open(path, 'r+')
  const direct = directWrites(path)
  let straight = 0
  const write = async (bytes: Uint8Array, position: number) => {
    const written = await direct.write(bytes, position)
    straight += written
    return written
  }
  const writes = sequentialWriter(file.fd, { ...direct, write }, beginning.length)
  const all: Buffer[] = [beginning]
  const add = async (size: number) => {
    const bytes = bytesOf(size, all.length)
    all.push(bytes)
    await writes.write(aligned(bytes))
  }
  for (const size of [mebibyte, mebibyte, 1_000, mebibyte]) await add(size)
  expect(straight).toBe(2 * mebibyte)
  // The first of them was written before, up to the next block of the disk.
  expect(writes.position()).toBe(4 * 4096 + 2 * mebibyte)
  await writes.flush()
  const written = Buffer.concat(all).length
  expect(writes.position()).toBe(written)
  // Blocks that are too small to bypass the page cache do not wait.
  await add(1_000)
  expect(writes.position()).toBe(written + 1_000)
  await direct.close()
  await file.close()
  expect((await readFile(path)).equals(Buffer.concat(all))).toBe(true)
})
