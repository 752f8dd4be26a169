import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createExtractionLimit } from './extraction-limit.ts'
import { readTar } from './read-tar.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-tar-'))
})
afterEach(() => rm(directory, { recursive: true }))

const size = 100_000

/** A tar with two files, and the members of it that are read. */
async function readSome(free: number, isRead: (name: string) => boolean) {
  const archive = pack()
  for (const name of ['first', 'second']) archive.entry({ name }, Buffer.alloc(size))
  archive.finalize()
  const path = join(directory, 'a.tar')
  await writeFile(path, await buffer(archive))
  const found: string[] = []
  for await (const { name, bytes } of readTar(path, 'tar', createExtractionLimit(1_000_000, free))) {
    found.push(name)
    if (isRead(name)) expect((await buffer(bytes())).length).toBe(size)
  }
  return found
}

test.each<[string, (name: string) => boolean]>([
  ['read', () => true],
  ['skipped', () => false],
  ['read in part', (name) => name === 'first'],
])('members that are %s count for what an archive may unpack to', async (_how, isRead) => {
  expect(await readSome(2 * size, isRead)).toEqual(['first', 'second'])
  await expect(readSome(2 * size - 1, isRead)).rejects.toThrow(/unpacks to more than/)
})
