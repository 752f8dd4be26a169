import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MissingDataError, type DataBackend } from '../../../src/data/backend/backend.ts'
import { fileBackend } from '../../../src/data/file/file.ts'
import { ForeignShardError } from '../../../src/data/file/disk/shards.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { resumableCaller } from '../../support/stores/resumable-caller.ts'
import { bytesOf, collect, inChunks } from '../../support/bytes.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { never } from '../../support/signals.ts'

const key = 'ABcd'

let directory: string
let outside: string
let victim: string
let backend: DataBackend

beforeEach(async () => {
  const root = await temporaryDirectory()
  directory = join(root, 'data')
  outside = join(root, 'data-secret')
  victim = join(outside, key)
  backend = fileBackend({ directory, fsync: true }, manualClock())
  await backend.createMissing?.()
  await mkdir(outside)
  await writeFile(victim, 'precious')
})
afterEach(async () => {
  expect(await readFile(victim, 'utf8')).toBe('precious')
  expect(await readdir(outside)).toEqual([key])
})

const add = (bytes = bytesOf(10)) => backend.add(key, inChunks(bytes, 10), never)
const shard = () => join(directory, 'AB')

test('creates its directories with access for its user only', async () => {
  await add()
  const modes = await Promise.all(
    [directory, shard(), join(shard(), key)].map(async (path) => (await stat(path)).mode),
  )
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o700, 0o600])
})

describe('a symbolic link in the place of a file', () => {
  beforeEach(async () => {
    await mkdir(shard())
    await symlink(victim, join(shard(), key))
  })

  test('is not read', async () => {
    await expect(backend.get(key)).rejects.toThrow(MissingDataError)
    await expect(backend.open?.(key)).rejects.toThrow(MissingDataError)
  })

  test('is removed, and its target is not', async () => {
    await backend.remove(key)
    expect(await readdir(shard())).toEqual([])
  })

  test('is replaced by a write, and not followed', async () => {
    await add()
    expect((await collect(await backend.get(key))).equals(bytesOf(10))).toBe(true)
  })
})

describe('a symbolic link in the place of an unfinished file', () => {
  beforeEach(async () => {
    await mkdir(shard())
    await symlink(victim, join(shard(), `${key}.part`))
  })

  test('is not followed by a write, and stays', async () => {
    await expect(add()).rejects.toThrow('EEXIST')
    const file = await resumableCaller(key, () => backend)
    await expect(file.append(bytesOf(10))).rejects.toThrow(MissingDataError)
    await expect(file.finish()).rejects.toThrow(MissingDataError)
    expect(await readdir(shard())).toEqual([`${key}.part`])
  })

  test('is removed, and its target is not', async () => {
    await backend.remove(key)
    expect(await readdir(shard())).toEqual([])
  })
})

describe('a symbolic link in the place of a directory', () => {
  beforeEach(() => symlink(outside, shard()))

  test('is rejected', async () => {
    await expect(add()).rejects.toThrow(ForeignShardError)
    await expect(backend.get(key)).rejects.toThrow(ForeignShardError)
    await expect(backend.open?.(key)).rejects.toThrow(ForeignShardError)
    await expect(backend.remove(key)).rejects.toThrow(ForeignShardError)
  })
})

test('a directory in the place of a file is not read', async () => {
  await mkdir(join(shard(), key), { recursive: true })
  await expect(backend.get(key)).rejects.toThrow(MissingDataError)
})

test('a named pipe in the place of a file is not read, and does not block', async () => {
  await mkdir(shard())
  await promisify(execFile)('mkfifo', [join(shard(), key)])
  await expect(backend.get(key)).rejects.toThrow(MissingDataError)
})

test('a named pipe in the place of an unfinished file is not written to, and does not block', async () => {
  await mkdir(shard())
  await promisify(execFile)('mkfifo', [join(shard(), `${key}.part`)])
  const file = await resumableCaller(key, () => backend)
  await expect(file.append(bytesOf(10))).rejects.toThrow(MissingDataError)
})

test('a reader continues after its file is removed', async () => {
  const bytes = bytesOf(300_000)
  await add(bytes)
  const chunks = (await backend.get(key))[Symbol.asyncIterator]()
  const first = await chunks.next()
  await backend.remove(key)
  const rest = await collect({ [Symbol.asyncIterator]: () => chunks })
  expect(Buffer.concat([first.value ?? bytesOf(0), rest]).equals(bytes)).toBe(true)
})

test('a second write of a key that is being written is rejected, and the first continues', async () => {
  const started = Promise.withResolvers<undefined>()
  const rejected = Promise.withResolvers<undefined>()
  const bytes = bytesOf(100_000)
  async function* slow() {
    yield bytes
    started.resolve(undefined)
    await rejected.promise
  }
  const first = backend.add(key, slow(), never)
  await started.promise
  await expect(add(bytesOf(20, 2))).rejects.toThrow('EEXIST')
  rejected.resolve(undefined)
  await first
  expect((await collect(await backend.get(key))).equals(bytes)).toBe(true)
})

test('a removed directory is created again', async () => {
  await add()
  await rm(shard(), { recursive: true })
  await expect(backend.get(key)).rejects.toThrow(MissingDataError)
  await add()
})
