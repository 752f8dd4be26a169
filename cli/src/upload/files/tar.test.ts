import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FileItem } from '../../files/item.ts'
import { tarOf } from './tar.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tar-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A file of `size` bytes in the folder, each with the value of `index`. */
async function fileOf(index: number, size: number): Promise<FileItem> {
  const name = `${String(index)}.bin`
  const path = join(folder, name)
  await writeFile(path, Buffer.alloc(size, index))
  return { kind: 'file', path, location: path, name, size, mode: 0o644, changedAt: 0n, statusChangedAt: 0n }
}

async function readArchive(files: readonly FileItem[]) {
  const archive = extract()
  const source = tarOf(files, 'tar')()
  source.on('error', (error) => {
    archive.destroy(error)
  })
  source.pipe(archive)
  const found: { readonly name: string; readonly bytes: Buffer }[] = []
  for await (const entry of archive) found.push({ name: entry.header.name, bytes: await buffer(entry) })
  return found
}

test('small and large files are packed in their order', async () => {
  const sizes = [0, 1, 511, 512, 513, 65_535, 65_536, 65_537, 600_000]
  // More files than are read ahead, with large ones between them.
  const files = await Promise.all(
    Array.from({ length: 200 }, (_, index) => fileOf(index, sizes[index % sizes.length] ?? 0)),
  )
  const found = await readArchive(files)
  expect(found.map(({ name }) => name)).toEqual(files.map(({ name }) => name))
  for (const [index, { bytes }] of found.entries())
    expect(bytes.equals(Buffer.alloc(files[index]?.size ?? 0, index))).toBe(true)
})

test.each([
  ['grown', 1],
  ['shrunk', -1],
])('a small file that has %s fails the archive', async (_, difference) => {
  const before = await fileOf(1, 1_000)
  const file = await fileOf(2, 1_000)
  await expect(readArchive([before, { ...file, size: file.size - difference }])).rejects.toThrow(
    `${file.path} changed during the upload`,
  )
})

test('a small file that cannot be read fails the archive', async () => {
  const file = await fileOf(1, 1_000)
  await rm(file.path)
  await expect(readArchive([file])).rejects.toThrow(`${file.path}: `)
})
