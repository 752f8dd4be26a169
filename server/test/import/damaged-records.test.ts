import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { svcd } from '../commands/command-line.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { newGokapi } from './gokapi/installation.ts'
import { newPingvin } from './pingvin/installation.ts'
import { newPlik } from './plik/installation.ts'
import { newTransferSh } from './transfer-sh/installation.ts'

interface Report {
  readonly findings: readonly unknown[]
  readonly counts: Readonly<Record<string, number>>
  readonly names: readonly unknown[]
}

/** Runs an import that must not end early. */
async function importFrom(from: string, root: string): Promise<Report> {
  const directory = await emptyDirectory()
  const { stderr, output } = await svcd(directory, ['import', '--from', from, root, '--json'])
  expect(stderr).toBe('')
  const { findings, counts } = JSON.parse(output) as Omit<Report, 'names'>
  return { findings, counts, names: lookUp({ directory }, 'select fileName from files order by fileName') }
}

const largest = '9223372036854775807'

test('a file of transfer.sh whose name is not UTF-8 is refused, and the others are imported', async () => {
  const transfer = await newTransferSh()
  await transfer.file('token1', 'good.txt', 'good')
  await transfer.file('token2', 'a\ufffdb', 'another')
  const [before, after] = [Buffer.from(join(transfer.root, 'token2', 'a')), Buffer.from('b')]
  for (const byte of [0xfe, 0xff]) await writeFile(Buffer.concat([before, Buffer.of(byte), after]), 'bad')
  const { findings, names } = await importFrom('transfer.sh', transfer.root)
  const detail = 'its name is not UTF-8'
  expect(new Set(findings)).toEqual(
    new Set(
      ['a\\xfeb', 'a\\xffb'].map((name) => ({ kind: 'refused', of: `token2/${name}`, file: null, detail })),
    ),
  )
  expect(names).toEqual(['a\ufffdb', 'good.txt'])
})

test.each([246, 247, 255])(
  'a file of transfer.sh with a name of %d bytes does not end the import',
  async (length) => {
    const transfer = await newTransferSh()
    await transfer.file('token1', 'good.txt', 'good')
    await mkdir(join(transfer.root, 'token2'))
    const name = 'n'.repeat(length)
    await writeFile(join(transfer.root, 'token2', name), 'long')
    const { findings, names } = await importFrom('transfer.sh', transfer.root)
    const isTooLong = length > 246
    const detail = 'its name is too long to have metadata, so its limits are unknown'
    expect(findings).toEqual(isTooLong ? [{ kind: 'refused', of: `token2/${name}`, file: null, detail }] : [])
    expect(names).toEqual(isTooLong ? ['good.txt'] : ['good.txt', name])
  },
)

test('what is not a file of transfer.sh is reported, and the others are imported', async () => {
  const transfer = await newTransferSh()
  const at = (...segments: readonly string[]) => join(transfer.root, ...segments)
  await transfer.file('token1', 'good.txt', 'good')
  await transfer.file('token1', 'log.metadata', 'sent with such a name')
  await writeFile(at('token1', 'gone.metadata'), '{}')
  await mkdir(at('token1', 'directory'))
  await symlink('good.txt', at('token1', 'link'))
  await promisify(execFile)('mkfifo', [at('token1', 'pipe')])
  await symlink('token1', at('token2'))
  await symlink('token1', at('other-link'))
  const { findings, names } = await importFrom('transfer.sh', transfer.root)
  const refused = (sourceId: string, detail: string) => ({
    kind: 'refused',
    of: sourceId,
    file: null,
    detail,
  })
  const link = 'it is a symbolic link, which is not followed'
  expect(new Set(findings)).toEqual(
    new Set([
      {
        kind: 'orphan',
        of: 'token1/gone.metadata',
        file: null,
        detail: 'it is taken for the metadata of a file that is not there',
      },
      refused('token1/directory', 'it is a directory'),
      refused('token1/link', link),
      refused('token1/pipe', 'it is a special file, such as a FIFO'),
      refused('token2', link),
    ]),
  )
  expect(names).toEqual(['good.txt', 'log.metadata'])
})

test('the longest names of transfer.sh have metadata', async () => {
  const transfer = await newTransferSh()
  await transfer.file('token1', 'n'.repeat(246), 'kept')
  await transfer.file('token2', 'n'.repeat(246), 'ended', { MaxDate: '2025-11-24T00:00:00Z' })
  const { findings, names } = await importFrom('transfer.sh', transfer.root)
  expect(findings).toEqual([])
  expect(names).toEqual(['n'.repeat(246)])
})

test('integers of 64 bits in a database of Pingvin Share do not end the import', async () => {
  const pingvin = await newPingvin()
  await pingvin.share('big', { 'a.txt': 'a' }, { creatorId: null })
  await pingvin.share('good', { 'b.txt': 'b' }, { creatorId: null })
  await pingvin.share('views', { 'c.txt': 'c' }, { creatorId: null }, { maxViews: 1 })
  pingvin.run(`alter table File add column other integer default ${largest}`)
  pingvin.run(`alter table File rename column size to old; alter table File add column size integer`)
  pingvin.run(`update File set size = case shareId when 'big' then ${largest} else 1 end`)
  pingvin.run(`update Share set views = ${largest} where id = 'views'`)
  pingvin.close()
  const { counts, names } = await importFrom('pingvin', pingvin.root)
  expect(counts).toMatchObject({ damaged: 1 })
  expect(names).toEqual(['b.txt', 'c.txt'])
})

test('integers of 64 bits in a database of Gokapi do not end the import', async () => {
  const gokapi = await newGokapi()
  gokapi.run(`insert into Users values (${largest}, 'admin', '', 255, 0, 0, 0)`)
  await gokapi.file('good', 'good', { UserId: 1 })
  await gokapi.file('big', 'big')
  gokapi.run(`update FileMetaData set SizeBytes = ${largest} where Id = 'big'`)
  gokapi.close()
  const { counts, names } = await importFrom('gokapi', gokapi.root)
  expect(counts).toMatchObject({ damaged: 1 })
  expect(names).toEqual(['good.txt'])
})

test('keys without a value, with equal and with other values do not end a table', async () => {
  const pingvin = await newPingvin()
  pingvin.run('alter table Share rename to Old; create table Share as select * from Old; drop table Old')
  pingvin.run('begin')
  for (let number = 0; number < 600; number += 1) await pingvin.share('', {}, { id: null, creatorId: null })
  for (let number = 0; number < 600; number += 1)
    await pingvin.share('', {}, { id: Buffer.of(0xff), creatorId: null })
  pingvin.run('commit')
  await pingvin.share('same', {}, { creatorId: null })
  await pingvin.share('same', { 'a.txt': 'a' }, { creatorId: null })
  pingvin.close()
  const { counts, names } = await importFrom('pingvin', pingvin.root)
  // One of them is the second share with the same id.
  expect(counts).toEqual({ refused: 1_201 })
  expect(names).toEqual(['a.txt'])
})

test.each(['x\ny', 'x\u202ey', 'x\u0007', 'x'.repeat(129)])(
  'a user with the login %j is refused',
  async (login) => {
    const pingvin = await newPingvin()
    const user = { createdAt: 1, updatedAt: 1, email: '', password: null }
    pingvin.insert('User', { ...user, id: 'a', username: login })
    pingvin.insert('User', { ...user, id: 'b', username: 'x'.repeat(128) })
    await pingvin.share('owned', { 'a.txt': 'a' }, { creatorId: 'a' })
    pingvin.close()
    const { counts, names, findings } = await importFrom('pingvin', pingvin.root)
    expect(counts).toEqual({ refused: 1, 'new password': 1, changed: 1 })
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'refused', of: login }))
    expect(names).toEqual(['a.txt'])
  },
)

test('integers of 64 bits in any column of Plik do not end the import', async () => {
  const plik = await newPlik()
  await plik.upload('upload0000000001', {}, { 'a.txt': 'a' })
  await plik.upload('another000000002', {}, { 'b.txt': 'b' })
  await plik.run(`update uploads set created_at = ${largest}, removable = ${largest} where id like '%1'`)
  await plik.close()
  expect((await importFrom('plik', plik.configuration)).names).toContain('b.txt')
})

test('a second file with the same id is refused', async () => {
  const pingvin = await newPingvin()
  pingvin.run('alter table File rename to Old; create table File as select * from Old; drop table Old')
  await pingvin.share('share', { 'a.txt': 'a' }, { creatorId: null })
  pingvin.run("insert into File select id, createdAt, 'b.txt', size, shareId, storageName from File")
  pingvin.close()
  const { counts, names } = await importFrom('pingvin', pingvin.root)
  expect(counts).toEqual({ refused: 1 })
  expect(names).toEqual(['a.txt'])
})
