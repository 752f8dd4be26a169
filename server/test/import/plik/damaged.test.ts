import { appendFile, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { lookUp, storedFiles } from '../../support/servers/server-data.ts'
import { json, svcd } from '../../commands/command-line.ts'
import { fillPlik } from './filled.ts'
import { fileRow, newPlik, uploadToken, userRow, type PlikFixture } from './installation.ts'

let directory: string
let plik: PlikFixture
beforeEach(async () => {
  directory = await emptyDirectory()
  plik = await newPlik()
  return () => plik.close()
})

const importing = (...args: string[]) =>
  svcd(directory, ['import', '--from', 'plik', plik.configuration, ...args])
const pathOf = (id: string) => join(plik.files, id.slice(0, 2), id)

/** The findings of an import, which a dry run finds, too. */
async function findings(): Promise<unknown[]> {
  const dry = await importing('--partial', '--dry-run', '--json')
  const { status, output, stderr } = await importing('--partial', '--json')
  expect(stderr).toBe('')
  expect({ ...(JSON.parse(dry.output) as object), dryRun: false }).toEqual(JSON.parse(output))
  expect(dry.status).toBe(status)
  return (JSON.parse(output) as { findings: unknown[] }).findings
}

describe('files', () => {
  let ids: readonly string[]
  beforeEach(async () => {
    ids = await plik.upload('upload0000000001', {}, { 'a.txt': 'first', 'b.txt': 'second', 'c.txt': 'third' })
  })
  const [uploadId, first, second] = ['upload0000000001', 'upload00000000' + '00', 'upload00000000' + '01']
  const kept = () => lookUp({ directory }, 'select fileName from files order by fileName')

  test('without bytes keep their upload out, until they are there', async () => {
    await rm(pathOf(second))
    const { status, output } = await importing()
    expect(output).toContain('imported 0 users, 0 tokens, 0 uploads, 0 files')
    expect(output).toContain('uploads left out: 1 damaged\n')
    expect(status).toBe(1)
    expect(storedFiles({ directory })).toEqual([])
    await writeFile(pathOf(second), 'second')
    expect(await importing()).toMatchObject({ status: 0 })
    expect(kept()).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })

  test('without bytes are left out with --partial', async () => {
    await rm(pathOf(ids[0] ?? ''))
    expect(await findings()).toEqual([
      { kind: 'missing', of: uploadId, file: first, detail: 'a.txt: there are no bytes' },
    ])
    expect(kept()).toEqual(['b.txt', 'c.txt'])
    // Another run does not say that all of them are there.
    for (const more of [['--dry-run'], ['--partial']]) {
      const { status, output } = await importing(...more)
      expect(output).toContain('a.txt: an earlier import left it out')
      expect(output).toMatch(/^already present: .* 1 uploads?, 2 files/m)
      expect(status).toBe(1)
    }
  })

  test('of another size or with other bytes are left out, and their bytes are not stored', async () => {
    await appendFile(pathOf(first), '!')
    await writeFile(pathOf(second), 'SECOND')
    expect(await findings()).toMatchObject([
      { kind: 'damaged', file: first, detail: 'a.txt: it has 6 bytes, and 5 were received' },
      { kind: 'damaged', file: second, detail: expect.stringContaining('MD5') as string },
    ])
    expect(storedFiles({ directory })).toEqual(['upload0000000002'])
    expect(lookUp({ directory }, 'select fileCount from uploads')).toEqual([1])
  })

  test.each(['a number', '-1', '99999999999999999999'])('of the size %s are left out', async (size) => {
    await plik.run(`update files set size = '${size}' where id = '${first}'`)
    expect(await findings()).toMatchObject([{ kind: 'damaged', file: first }])
  })

  test('with names that this service refuses are renamed', async () => {
    await plik.run(
      `update files set name = 'a' || char(10) || '/../' || char(8238) || 'b.txt' where id = '${first}'`,
    )
    expect(await findings()).toMatchObject([{ kind: 'renamed', file: first }])
    expect(kept()).toEqual(['a_/_/_b.txt', 'b.txt', 'c.txt'])
  })

  test('that are gone stay gone, and had arrived once', async () => {
    await plik.run(`update files set status = 'deleted' where id = '${first}'`)
    expect(await findings()).toEqual([])
    expect(lookUp({ directory }, `select uploadedAt is null from files where status = 'deleted'`)).toEqual([
      0,
    ])
  })

  test('that had not arrived, or belong to no upload, are left out', async () => {
    await plik.run(`update files set status = 'uploading' where id = '${first}'`)
    await plik.insert('files', {
      ...fileRow,
      id: 'orphan0000000001',
      upload_id: 'nowhere000000001',
      name: 'x',
    })
    expect(await findings()).toMatchObject([
      { kind: 'orphan', of: 'nowhere000000001' },
      { kind: 'incomplete', file: first },
    ])
  })
})

test('records that this service cannot have are refused, and the others imported', async () => {
  await plik.insert('users', { ...userRow, id: 'yubikey:eve', provider: 'yubikey', login: 'eve' })
  await plik.insert('users', { ...userRow, id: 'local:bob', login: 'bob', password: 'not a hash' })
  await plik.insert('tokens', { token: 'guessed', comment: '', user_id: 'local:bob' })
  await plik.insert('tokens', {
    token: '3f2c9a52-5d1e-4c7b-9f00-0123456789ab',
    comment: '',
    user_id: 'local:gone',
  })
  await plik.upload('short')
  await plik.upload('ofnobody00000001', { user: 'local:gone' })
  await plik.upload('locked0000000001', { protected_by_password: 1, password: 'not a hash' })
  expect(await findings()).toMatchObject([
    { kind: 'new password', of: 'local:bob', detail: 'svcd user update bob --password' },
    { kind: 'refused', of: 'yubikey:eve' },
    { kind: 'orphan', of: 'local:gone' },
    { kind: 'refused', of: 'local:bob' },
    { kind: 'changed', of: 'locked0000000001' },
    { kind: 'changed', of: 'ofnobody00000001' },
    { kind: 'refused', of: 'short' },
  ])
  expect(lookUp({ directory }, 'select id from uploads order by id')).toEqual([
    'locked0000000001',
    'ofnobody00000001',
  ])
  expect(lookUp({ directory }, `select passwordHash from uploads where id = 'locked0000000001'`)).toEqual([
    expect.stringMatching(/^\$argon2id\$/),
  ])
  expect(await json(directory, ['upload', 'show', 'ofnobody00000001'])).toMatchObject({
    id: 'ofnobody00000001',
  })
})

test('at most --limit findings of each kind are listed', async () => {
  for (const id of ['one', 'two', 'three']) await plik.upload(id)
  const { output, status } = await importing('--limit', '1', '--dry-run')
  expect(output).toContain('(2 more, see --limit)')
  expect(output).toContain('needs attention: 3 refused')
  expect(status).toBe(1)
})

describe('the database', () => {
  const refusal = async (expected: RegExp) => {
    const { status, stderr } = await importing()
    expect(stderr).toMatch(expected)
    expect(stderr).not.toMatch(/\n +at /)
    expect(status).toBe(1)
  }

  test('of a newer version is refused', async () => {
    await plik.insert('migrations', { id: '0042-future' })
    await refusal(/newer Plik \(0042-future\)/)
    expect(await readdir(directory)).not.toContain('svc.db')
  })

  test('of another program is refused', async () => {
    await plik.run('drop table uploads')
    await refusal(/not a database of Plik: it has no table uploads/)
  })

  test('without a column is refused', async () => {
    await plik.run('alter table files drop column md5')
    await refusal(/the table files has no md5/)
  })

  test('of version 1.3 has fewer columns', async () => {
    for (const column of ['extend_ttl', 'e2ee']) await plik.run(`alter table uploads drop column ${column}`)
    for (const column of ['theme', 'language', 'max_file_size', 'max_user_size', 'max_ttl'])
      await plik.run(`alter table users drop column ${column}`)
    await fillWithout13(plik)
    expect((await importing()).status).toBe(0)
  })

  test('that is truncated is refused', async () => {
    await fillPlik(plik)
    await plik.close()
    await truncate(join(plik.directory, 'plik.db'), 20_000)
    await refusal(/Plik's database .*cannot be read: .*malformed.*Damaged databases/)
  })

  test('whose uploads are damaged keeps what was imported before', async () => {
    await fillPlik(plik)
    for (let n = 0; n < 50; n += 1)
      await plik.upload(`u${String(n).padStart(15, '0')}`, { comments: 'c'.repeat(3_000) })
    await plik.close()
    const database = join(plik.directory, 'plik.db')
    const { size } = await stat(database)
    const file = await open(database, 'r+')
    await file.write(Buffer.alloc(40_960, 0xff), 0, 40_960, size - 40_960)
    await file.close()
    await refusal(/ended early; .*\nPlik's database .*cannot be read: .*malformed.*Damaged databases/)
    expect(lookUp({ directory }, 'select count(*) from users')).toEqual([3])
  })

  test('that is missing, empty or something else is named', async () => {
    await plik.close()
    await writeFile(join(plik.directory, 'plik.db'), 'no database')
    await refusal(/cannot be read: file is not a database/)
    await writeFile(join(plik.directory, 'plik.db'), '')
    await refusal(/Plik's database .*plik\.db is empty$/)
    await rm(join(plik.directory, 'plik.db'))
    await refusal(/plik\.db does not exist/)
  })
})

/** Columns of 1.4 are absent. */
async function fillWithout13({ insert }: PlikFixture): Promise<void> {
  const id = 'earlier000000001'
  await insert('uploads', {
    id,
    ttl: 0,
    remote_ip: '',
    comments: '',
    upload_token: uploadToken(id),
    user: '',
    token: '',
    stream: 0,
    one_shot: 0,
    removable: 0,
    protected_by_password: 0,
    login: '',
    password: '',
    created_at: '2022-01-29 14:50:11.631',
    deleted_at: null,
    expire_at: null,
  })
}
