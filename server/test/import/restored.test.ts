import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { svcd } from '../commands/command-line.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { newPlik, type PlikFixture } from './plik/installation.ts'
import { services } from './services.ts'

const upload = 'upload0000000001'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
})

const pathIn = (files: string, id: string) => join(files, id.slice(0, 2), id)
const stored = (id: string) => pathIn(join(directory, 'files'), id)

function change(statement: string): void {
  using database = new DatabaseSync(join(directory, 'svc.db'))
  database.exec(statement)
}

describe.each(services)('a repeated import from $name', ({ name, fill }) => {
  const importing = (root: string, ...args: string[]) =>
    svcd(directory, ['import', '--from', name, root, ...args])

  test('restores what the data store has lost', async () => {
    const root = await fill()
    await importing(root)
    const before = storedFiles({ directory })
    await rename(join(directory, 'files'), join(directory, 'files.away'))
    const { status, stderr } = await importing(root)
    expect(stderr).toMatch(/^the directory .*files does not exist .*mount it, or create it/)
    expect(status).toBe(1)
    await mkdir(join(directory, 'files'))
    const files = `${String(before.length)} files`
    expect((await importing(root, '--dry-run')).output).toContain(`would restore in the data store: ${files}`)
    expect(storedFiles({ directory })).toEqual([])
    expect((await importing(root)).output).toContain(`\nrestored in the data store: ${files} (`)
    expect(storedFiles({ directory })).toEqual(before)
    expect(await svcd(directory, ['verify', '--hashes'])).toMatchObject({ status: 0 })
    expect((await importing(root)).output).not.toContain('restored')
  })
})

describe('a repeated import from Plik', () => {
  let plik: PlikFixture
  let ids: readonly string[]
  beforeEach(async () => {
    plik = await newPlik()
    ids = await plik.upload(upload, { one_shot: 1 }, { 'a.txt': 'first', 'b.txt': 'second' })
    await plik.close()
    expect(await importing()).toMatchObject({ status: 0 })
  })
  const importing = (...args: string[]) =>
    svcd(directory, ['import', '--from', 'plik', plik.configuration, ...args])
  const first = () => ids[0] ?? ''

  test('replaces bytes of another size', async () => {
    await writeFile(stored(first()), 'fir')
    expect(await importing()).toMatchObject({ status: 0 })
    expect(await readFile(stored(first()), 'utf8')).toBe('first')
  })

  test('reports what neither has', async () => {
    await rm(stored(first()))
    await rm(pathIn(plik.files, first()))
    for (const more of [['--dry-run'], []]) {
      const { status, output } = await importing(...more)
      expect(output).toContain('a.txt: the data store of svcd does not have its bytes, and there are none')
      expect(output).toContain('already present: 0 users, 0 tokens, 1 upload, 2 files')
      expect(output).toContain('needs attention: 1 missing')
      expect(status).toBe(1)
    }
  })

  test('keeps bytes that others cannot replace', async () => {
    await writeFile(stored(first()), 'fir')
    await appendFile(pathIn(plik.files, first()), '!')
    const { status, output } = await importing()
    expect(output).toMatch(/a\.txt: the data store of svcd has too few or too many bytes, and others cannot/)
    expect(status).toBe(1)
    expect(await readFile(stored(first()), 'utf8')).toBe('fir')
  })

  test.each([
    ['a consumed file', `update files set status = 'removed'`],
    ['a deleted file', `update files set status = 'deleted'`],
    ['a removed upload', 'update uploads set deletedAt = 1'],
    ['an expired upload', 'update uploads set expireAt = 1'],
  ])('does not restore %s', async (_what, statement) => {
    change(statement)
    for (const id of ids) await rm(stored(id))
    const { status, output } = await importing()
    expect(output).not.toContain('restored')
    expect(status).toBe(0)
    expect(storedFiles({ directory })).toEqual([])
  })

  test('in place reports what the store has lost', async () => {
    await rm(stored(first()))
    const { status, output } = await importing('--in-place')
    expect(output).toContain('a.txt: the data store of svcd does not have its bytes, and there are none')
    expect(status).toBe(1)
  })
})

describe('an import into memory is refused', () => {
  test.each([
    ['DataBackend = "memory"', /^the configuration has DataBackend = "memory": /],
    ['[MetadataBackendConfig]\nConnectionString = ":memory:"', /^the configuration has Meta.*":memory:": /],
    ['[MetadataBackendConfig]\nConnectionString = "file:x?mode=memory"', /lost when the command ends$/],
  ])('%s', async (settings, expected) => {
    const plik = await newPlik()
    await plik.close()
    await writeFile(join(directory, 'svcd.toml'), `${settings}\n`)
    for (const more of [['--dry-run'], []]) {
      const { status, output, stderr } = await svcd(directory, [
        'import',
        '--from',
        'plik',
        plik.configuration,
        ...more,
      ])
      expect({ status, output }).toEqual({ status: 1, output: '' })
      expect(stderr).toMatch(expected)
    }
  })

  test('also one of svcd export, into a database in memory', async () => {
    await writeFile(join(directory, 'svcd.toml'), '[MetadataBackendConfig]\nConnectionString = ":memory:"\n')
    expect(await svcd(directory, ['import', '-'], { input: '' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('":memory:"') as string,
    })
  })
})
