import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fileBackend } from '../../../src/data/file/file.ts'
import { StoreUnavailableError } from '../../../src/data/backend/backend.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

let directory: string
beforeEach(async () => {
  directory = await temporaryDirectory()
})

const removeMany = (keys: readonly string[]) =>
  fileBackend({ directory, fsync: true }, manualClock()).removeMany?.(keys)

const keysIn = (shard: string) => Array.from({ length: 20 }, (_, number) => `${shard}key${String(number)}`)

async function store(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const shard = join(directory, key.slice(0, 2))
    await mkdir(shard, { recursive: true })
    await writeFile(join(shard, key), 'x')
  }
}

test('a failed removal is reported with its code, and all other files are removed', async () => {
  const keys = [...keysIn('AA'), ...keysIn('AB'), ...keysIn('AC')]
  await store(keys)
  // Even root cannot unlink a directory.
  const rejected = keys[25] ?? ''
  const place = join(directory, 'AB', rejected)
  await rm(place)
  await mkdir(place)
  const failures = await removeMany([...keys, 'AAgone', 'ZZgone'])
  expect([...(failures ?? [])]).toEqual([[rejected, expect.objectContaining({ code: 'EISDIR' })]])
  const left = await readdir(directory, { recursive: true })
  expect(left.toSorted()).toEqual(['AA', 'AB', `AB/${rejected}`, 'AC'])
})

test('where another file is in the place of a directory, only the removals below it fail', async () => {
  await store(keysIn('AA'))
  await writeFile(join(directory, 'AB'), 'no directory')
  const failures = await removeMany([...keysIn('AA'), ...keysIn('AB')])
  expect([...(failures?.keys() ?? [])]).toEqual(keysIn('AB'))
  expect((await readdir(directory, { recursive: true })).toSorted()).toEqual(['AA', 'AB'])
})

test('without the directory of the store, no file counts as removed', async () => {
  const keys = [...keysIn('AA'), ...keysIn('AB')]
  await store(keys)
  const backend = fileBackend({ directory, fsync: true }, manualClock())
  await backend.removeMany?.(keysIn('AB').slice(0, 1))
  await rm(directory, { recursive: true })
  const failures = await backend.removeMany?.(keys)
  expect([...(failures?.values() ?? [])].every((error) => error instanceof StoreUnavailableError)).toBe(true)
  expect(failures?.size).toBe(keys.length)
})
