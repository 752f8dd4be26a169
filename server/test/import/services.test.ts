import { readFileSync } from 'node:fs'
import { mkdir, open, readdir, rename, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { svcd } from '../commands/command-line.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { lookUp, storedFiles } from '../support/servers/server-data.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { services, withoutLog } from './services.ts'

/** Directories are read in the order of the file system. */
const inOrder = (line: string): string =>
  line.replace(/: (.*)/, (_, list: string) => `: ${list.split(', ').sort().join(', ')}`)

const endOf = (output: string): readonly string[] =>
  output
    .split('\n')
    .filter((line) => /^(?:uploads left out|needs attention): /.test(line))
    .map(inOrder)

const none = '0 users, 0 tokens, 0 uploads, 0 files'

describe.each(services)('svcd import --from $name', ({ name, fill, records, leftOut }) => {
  const importing = (directory: string, root: string, ...args: string[]) =>
    svcd(directory, ['import', '--from', name, root, ...args])

  test('imports what can be imported, and reports the rest', async () => {
    const directory = await emptyDirectory()
    const { status, output, stderr } = await importing(directory, await fill())
    expect(output).toContain(`imported ${records} (`)
    expect(endOf(output)).toEqual(leftOut.map(inOrder))
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
  })

  test('reports the same in a dry run, and changes nothing', async () => {
    const directory = await emptyDirectory()
    const root = await fill()
    const before = [await readdir(directory), await readdir(root, { recursive: true })]
    const { output } = await importing(directory, root, '--dry-run')
    expect(output).toContain(`would import ${records} (`)
    expect(endOf(output)).toEqual(leftOut.map(inOrder))
    expect([await readdir(directory), await readdir(root, { recursive: true })]).toEqual(before)
  })

  test('creates no data directory while the database has files', async () => {
    const directory = await emptyDirectory()
    const root = await fill()
    await importing(directory, root)
    await rename(join(directory, 'files'), join(directory, 'unmounted'))
    await importing(directory, root)
    expect(await readdir(directory)).not.toContain('files')
    const database = new DatabaseSync(join(directory, 'svc.db'))
    database.exec(`delete from kysely_migration where name = (select max(name) from kysely_migration)`)
    database.close()
    expect((await importing(directory, root)).status).toBe(1)
    expect(await readdir(directory)).not.toContain('files')
  })

  test('adds nothing when it runs again, and everything agrees', async () => {
    const directory = await emptyDirectory()
    const root = await fill()
    await importing(directory, root)
    const rows = () =>
      lookUp({ directory }, 'select id from uploads union all select id from files order by id')
    const before = rows()
    const { output } = await importing(directory, root)
    expect(output).toContain(`imported ${none} (0 B)`)
    expect(output).toContain(`already present: ${records}`)
    expect(rows()).toEqual(before)
    expect(storedFiles({ directory })).toEqual(lookUp({ directory }, 'select id from files order by id'))
    expect(await svcd(directory, ['verify', '--hashes'])).toMatchObject({ status: 0 })
    expect((await svcd(directory, ['stats', '--recount'])).output).toContain(
      'all stored counters are correct',
    )
  })

  test('can be exported and imported', async () => {
    const directory = await emptyDirectory()
    await importing(directory, await fill())
    const { output } = await svcd(directory, ['export', '-'])
    expect(await svcd(await emptyDirectory(), ['import', '-'], { input: output })).toMatchObject({
      status: 0,
    })
  })

  test('writes the same table of addresses in a dry run, an import and a second one', async () => {
    const directory = await emptyDirectory()
    const root = await fill()
    const tables = []
    for (const more of [['--dry-run'], [], []]) {
      await importing(directory, root, '--links', 'links.tsv', ...more)
      tables.push(readFileSync(join(directory, 'links.tsv'), 'utf8').split('\n').sort())
    }
    expect(tables[0]).toHaveLength(new Set(tables[0]).size)
    expect(tables[0]?.length).toBeGreaterThan(6)
    expect(tables[1]).toEqual(tables[0])
    expect(tables[2]).toEqual(tables[0])
  })

  test('ends early when the table of addresses cannot be written', async () => {
    const directory = await emptyDirectory()
    const { status, stderr } = await importing(directory, await fill(), '--links', 'no/such/links.tsv')
    expect(status).toBe(1)
    expect(stderr).toContain('links.tsv cannot be written')
  })

  test('refuses options of Plik, a file, and an empty directory', async () => {
    const directory = await emptyDirectory()
    const root = await fill()
    expect((await importing(directory, root, '--in-place')).stderr).toContain('--in-place needs --from plik')
    expect((await importing(directory, root, '--merge')).stderr).toContain(
      '--merge is for files of svcd export',
    )
    expect((await importing(directory, 'svcd.toml')).stderr).toContain('svcd.toml is not a directory')
    const { status, stderr } = await importing(directory, await temporaryDirectory())
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /there is no configuration of Gokapi|has no database of Pingvin|has no files of transfer\.sh/,
    )
  })

  test('leaves out an upload whose bytes are missing, until they are there', async () => {
    const directory = await emptyDirectory()
    const root = await fill()
    const [path = ''] = (await readdir(root, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((candidate) => ['plain text', 'first'].includes(readFileSync(candidate, 'utf8')))
    const content = readFileSync(path, 'utf8')
    await writeFile(path, `${content.slice(0, -1)}+`.repeat(2))
    const { output } = await importing(directory, root)
    expect(output).toMatch(/damaged {2,}/)
    expect(output).toContain('can still be imported')
    await writeFile(path, content)
    expect((await importing(directory, root)).output).not.toMatch(/damaged {2,}/)
    expect(await svcd(directory, ['verify', '--hashes'])).toMatchObject({ status: 0 })
  })
})

const withDatabase = services.flatMap((service) =>
  service.database === null ? [] : [{ ...service, database: service.database }],
)

describe.each(withDatabase)('svcd import --from $name', ({ name, fill, database }) => {
  const importing = (directory: string, root: string) => svcd(directory, ['import', '--from', name, root])

  test('refuses a database that is damaged, empty or none', async () => {
    const directory = await emptyDirectory()
    const root = await fill()
    const path = join(root, database)
    await withoutLog(path)
    const { size } = await stat(path)
    const refusal = async (expected: RegExp) => {
      const { status, stderr } = await importing(directory, root)
      expect(stderr).toMatch(expected)
      expect(status).toBe(1)
    }
    const file = await open(path, 'r+')
    await file.write(Buffer.alloc(size - 4_096, 0xff), 0, size - 4_096, 4_096)
    await file.close()
    await refusal(/database .*cannot be read: .*malformed/)
    await truncate(path, 10_000)
    await refusal(/database .*cannot be read|no table/)
    await writeFile(path, '')
    await refusal(/database .* is empty$/)
    await writeFile(path, 'no database at all')
    await refusal(/is not a file of SQLite/)
  })

  test('refuses a database of a newer version, and of something else', async () => {
    const directory = await emptyDirectory()
    const root = await fill()
    const path = join(root, database)
    const changed = (statement: string) => {
      const opened = new DatabaseSync(path)
      opened.exec(statement)
      opened.close()
    }
    changed(
      name === 'gokapi'
        ? 'pragma user_version = 16'
        : "insert into _prisma_migrations values ('2', '20991231000000_later')",
    )
    expect((await importing(directory, root)).stderr).toMatch(/is of a newer .*: update svcd/)
    changed(
      name === 'gokapi'
        ? 'pragma user_version = 13; alter table FileMetaData drop column PasswordHash'
        : "delete from _prisma_migrations where id = '2'; alter table Share drop column expiration",
    )
    expect((await importing(directory, root)).stderr).toMatch(
      /is not a database of .* has no (PasswordHash|expiration)/,
    )
  })
})

test('a link among the files is not followed', async () => {
  const root = await temporaryDirectory()
  await mkdir(join(root, 'token1'))
  await symlink('/etc/hostname', join(root, 'token1', 'secret.txt'))
  await writeFile(join(root, 'token1', 'plain.txt'), 'plain')
  const { output } = await svcd(await emptyDirectory(), ['import', '--from', 'transfer.sh', root])
  expect(output).toContain('imported 0 users, 0 tokens, 1 upload, 1 file (5 B)')
})
