import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { fileRecord, uploadRecord } from '../../support/databases/records.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { json, svcd } from '../command-line.ts'
import { exportFrom, importInto, linesOf } from './exporting.ts'
import { fillDatabase, inDatabase } from './filled-database.ts'
import { tokenRecord, userRecord } from '../records.ts'

let directory: string
let other: string
beforeEach(async () => {
  directory = await emptyDirectory()
  other = await emptyDirectory()
})

describe('svcd export', () => {
  test('writes each record as a line, each upload before its files, between a header and an end', async () => {
    await fillDatabase(directory)
    const lines = linesOf(await exportFrom(directory))
    expect(lines.map(({ kind, id, version, records }) => [kind, id ?? version ?? records])).toEqual([
      ['export', 2],
      ['user', 'local:bob'],
      ['user', 'oidc:subject of eve'],
      ['token', expect.stringMatching(/^[0-9A-Za-z]{16}$/)],
      ['token', expect.stringMatching(/^[0-9A-Za-z]{16}$/)],
      ['request', 'R000000000000001'],
      ['upload', 'A000000000000001'],
      ['file', 'z000000000000001'],
      ['file', 'x000000000000003'],
      ['file', 'y000000000000002'],
      ['file', 'w000000000000004'],
      ['file', 'v000000000000005'],
      ['upload', 'B000000000000002'],
      ['file', expect.any(String)],
      ['upload', 'C000000000000003'],
      ['file', expect.any(String)],
      ['upload', 'D000000000000004'],
      ['alias', undefined],
      ['alias', undefined],
      ['webhook', 'H000000000000001'],
      ['webhook', 'H000000000000002'],
      ['notification', undefined],
      ['end', 21],
    ])
  })

  test('contains whole records, without derived counters', async () => {
    const user = userRecord('bob')
    const token = tokenRecord(user.id)
    const upload = uploadRecord({ userId: user.id, size: 5 })
    const file = fileRecord(upload)
    await inDatabase(directory, async (store) => {
      await store.users.insert({ ...user, usedSize: 5 })
      await store.tokens.insert(token)
      await store.uploads.insert(upload)
      await store.files.insert(file)
    })
    const left = ['usedSize', 'size', 'options', 'generation', 'removedAt', 'erasedAt']
    const carried = (row: object) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name)))
    expect(linesOf(await exportFrom(directory))).toEqual([
      { kind: 'export', version: 2 },
      { kind: 'user', ...carried(user) },
      { kind: 'token', ...token },
      { kind: 'upload', ...carried(upload) },
      { kind: 'file', ...file },
      { kind: 'end', records: 4 },
    ])
  })

  test('has no sessions and no keys', async () => {
    await inDatabase(directory, async (store) => {
      await store.settings.findOrInsert('sessionKey', 'a key')
      await store.users.insert(userRecord('bob'))
      const session = { id: 's'.repeat(32), userAgent: '', address: '', createdAt: 1, usedAt: 1, expireAt: 2 }
      await store.sessions.insert({ ...session, userId: 'local:bob' })
    })
    expect(linesOf(await exportFrom(directory)).map(({ kind }) => kind)).toEqual(['export', 'user', 'end'])
  })

  test('writes a file that only its owner can read, replaces an older one, and reports the number of records', async () => {
    await fillDatabase(directory)
    const file = join(directory, 'backup.jsonl')
    await writeFile(file, 'older')
    await chmod(file, 0o644)
    expect(await svcd(directory, ['export', 'backup.jsonl'])).toEqual({
      status: 0,
      output: '',
      stderr:
        'exported 2 users, 2 tokens, 1 upload request, 4 uploads, 7 files, 2 aliases, 2 webhooks, settings of notifications of 1 user\n' +
        'not in an export: the bytes of files, sessions, how far unfinished uploads have come, notifications that wait, keys of the server',
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toBe(await exportFrom(directory))
  })

  test('leaves nothing when the file cannot be written', async () => {
    await mkdir(join(directory, 'taken'))
    const before = await readdir(directory)
    for (const file of ['taken', 'nowhere/backup.jsonl']) {
      const { status, stderr } = await svcd(directory, ['export', file])
      expect(status).toBe(1)
      expect(stderr).toContain(file)
      expect(stderr).not.toMatch(/\n +at /)
    }
    const made = (await readdir(directory)).filter((name) => !before.includes(name))
    expect(made.filter((name) => !name.startsWith('svc.db'))).toEqual([])
  })
})

describe('svcd import', () => {
  test('an export of an imported export is equal', async () => {
    await fillDatabase(directory)
    const text = await exportFrom(directory)
    expect(await importInto(other, text)).toEqual({
      status: 0,
      output:
        'imported 2 users, 2 tokens, 1 upload request, 4 uploads, 7 files, 2 aliases, 2 webhooks, settings of notifications of 1 user\n',
      stderr: '',
    })
    expect(await exportFrom(other)).toBe(text)
  })

  test('the tables are equal, including counters that are not exported', async () => {
    await fillDatabase(directory)
    await importInto(other, await exportFrom(directory))
    for (const table of ['users', 'tokens', 'uploads', 'files']) {
      const columns = lookUp({ directory }, `select name from pragma_table_info('${table}')`).join(', ')
      const whole = (place: string) =>
        lookUp({ directory: place }, `select json_array(${columns}) from ${table} order by 1`)
      expect(whole(other)).toEqual(whole(directory))
      expect(whole(other).length).toBeGreaterThan(0)
    }
  })

  test('more than a batch of each is exported and imported', async () => {
    await inDatabase(directory, (store) =>
      store.transaction(async (transaction) => {
        const users = Array.from({ length: 501 }, (_, index) => userRecord(`user${String(index)}`))
        for (const user of users) {
          await transaction.users.insert(user)
          await transaction.tokens.insert(tokenRecord(user.id))
        }
        for (const count of [0, 1, 499, 500, 501, 0]) {
          const upload = uploadRecord({ fileCount: count, size: 5 * count })
          await transaction.uploads.insert(upload)
          for (let position = 0; position < count; position++)
            await transaction.files.insert(fileRecord(upload, { position }))
        }
      }),
    )
    const text = await exportFrom(directory)
    expect(linesOf(text)).toHaveLength(1 + 501 + 501 + 6 + 1501 + 1)
    expect((await importInto(other, text)).status).toBe(0)
    expect(await exportFrom(other)).toBe(text)
  })

  test('reads a file, and reports a missing one', async () => {
    await fillDatabase(directory)
    await svcd(directory, ['export', join(other, 'backup.jsonl')])
    const missing = await svcd(other, ['import', 'none.jsonl'])
    expect(missing.status).toBe(1)
    expect(missing.stderr).toContain('none.jsonl')
    const added = {
      user: 2,
      token: 2,
      request: 1,
      upload: 4,
      file: 7,
      preview: 0,
      alias: 2,
      download: 0,
      figure: 0,
      webhook: 2,
      notification: 1,
    }
    const skipped = {
      user: 0,
      token: 0,
      request: 0,
      upload: 0,
      file: 0,
      preview: 0,
      alias: 0,
      download: 0,
      figure: 0,
      webhook: 0,
      notification: 0,
    }
    expect(await json(other, ['import', 'backup.jsonl'])).toEqual({ added, skipped, refused: skipped })
  })

  test.each([
    ['a user', () => inDatabase(other, (store) => store.users.insert(userRecord('zoe')))],
    [
      'an upload that is removed',
      () => inDatabase(other, (store) => store.uploads.insert(uploadRecord({ deletedAt: 1 }))),
    ],
  ])('rejects a database that has %s', async (_, put) => {
    await fillDatabase(directory)
    await put()
    const before = await exportFrom(other)
    expect(await importInto(other, await exportFrom(directory))).toEqual({
      status: 1,
      output: '',
      stderr: 'the database has users or uploads: use --merge to add the missing records',
    })
    expect(await exportFrom(other)).toBe(before)
  })
})

describe('svcd import --merge', () => {
  test('keeps existing records and adds missing ones; a second import changes nothing', async () => {
    await fillDatabase(directory)
    const text = await exportFrom(directory)
    const kept = userRecord('bob', { name: 'The other Bob' })
    await inDatabase(other, (store) => store.users.insert(kept))
    expect((await importInto(other, text, '--merge')).output).toBe(
      'imported 1 user, 2 tokens, 1 upload request, 4 uploads, 7 files, 2 aliases, 2 webhooks, settings of notifications of 1 user\n' +
        'already present: 1 user, 0 tokens, 0 uploads, 0 files\n',
    )
    const merged = await exportFrom(other)
    expect(linesOf(merged)[1]).toMatchObject({ id: 'local:bob', name: 'The other Bob', admin: 0 })
    expect(lookUp({ directory: other }, `select usedSize from users where id = 'local:bob'`)).toEqual([72])
    expect((await importInto(other, text, '--merge')).output).toBe(
      'imported 0 users, 0 tokens, 0 uploads, 0 files\n' +
        'already present: 2 users, 2 tokens, 1 upload request, 4 uploads, 7 files, 2 aliases, 2 webhooks, settings of notifications of 1 user\n',
    )
    expect(await exportFrom(other)).toBe(merged)
  })

  test('an upload that is there keeps the files it has, however many the other has', async () => {
    const upload = uploadRecord()
    const keep = async (place: string, count: number) =>
      inDatabase(place, async (store) => {
        await store.uploads.insert(upload)
        for (let position = 0; position < count; position++)
          await store.files.insert(fileRecord(upload, { position }))
        await store.uploads.addSize(upload.id, 5 * count)
      })
    await keep(directory, 250)
    await keep(other, 1)
    const before = await exportFrom(other)
    expect((await importInto(other, await exportFrom(directory), '--merge')).status).toBe(0)
    expect(await exportFrom(other)).toBe(before)
    expect(lookUp({ directory: other }, 'select size from uploads')).toEqual([5])
  })
})
