import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { fileRecord, uploadRecord } from '../support/databases/records.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { json, svcd } from './command-line.ts'
import { inDatabase } from './export/filled-database.ts'
import { tokenRecord, userRecord } from './records.ts'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
  await inDatabase(directory, (store) => store.users.insert(userRecord('bob')))
})

/** Characters that control a terminal or reverse its text, except the line breaks that the commands print. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const steering = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/

const hostile = fc
  .array(
    fc.constantFrom(
      '\x1b]52;c;aGk=\x07',
      '\x9b2J',
      '\r',
      '\n',
      '\t',
      '\u202e',
      '\u2066',
      'gpj.exe',
      '🗿',
      '\x7f',
    ),
  )
  .map((parts) => parts.join(''))

test('texts from outside are shown without control sequences', () =>
  fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const token = tokenRecord('local:bob', { comment: text })
      const upload = uploadRecord({ comments: text, expireAt: null })
      await inDatabase(directory, async (store) => {
        await store.users.update('local:bob', { name: text, email: text })
        await store.tokens.insert(token)
        await store.uploads.insert(upload)
        await store.files.insert(fileRecord(upload, { fileName: text, type: text }))
      })
      for (const args of [
        ['user', 'list'],
        ['user', 'show', 'bob'],
        ['token', 'list', 'bob'],
        ['upload', 'show', upload.id],
        ['upload', 'list'],
      ]) {
        for (const format of [[], ['--json']]) {
          const { status, output } = await svcd(directory, [...args, ...format])
          expect(status).toBe(0)
          expect(output).not.toMatch(steering)
        }
      }
      expect(await json(directory, ['user', 'show', 'bob'])).toMatchObject({ name: text, email: text })
      expect(await json(directory, ['upload', 'show', upload.id])).toMatchObject({
        comments: text,
        files: [{ fileName: text }],
      })
      expect((await svcd(directory, ['token', 'delete', token.id])).status).toBe(0)
    }),
    { numRuns: 8 },
  ))

test('a table has a line for each row with any content', async () => {
  await inDatabase(directory, (store) => store.users.update('local:bob', { name: 'Bob\nlocal:root  yes' }))
  expect((await svcd(directory, ['user', 'list'])).output.split('\n')).toEqual([
    expect.stringMatching(/^ID /) as string,
    expect.stringMatching(/ Bob\\u000alocal:root {2}yes$/) as string,
    '',
  ])
})

test('no output has a hash of passwords or of upload tokens', async () => {
  const upload = uploadRecord({
    tokenHash: 'canary'.padEnd(43, 'x'),
    login: 'svc',
    passwordHash: 'canary of an upload',
    userId: 'local:bob',
    address: '192.0.2.7',
  })
  await inDatabase(directory, async (store) => {
    await store.users.update('local:bob', { passwordHash: 'canary of a user', issuer: 'canary' })
    await store.uploads.insert({ ...upload, expireAt: null })
  })
  for (const args of [
    ['user', 'list'],
    ['user', 'show', 'bob'],
    ['user', 'update', 'bob', '--name=Bob'],
    ['upload', 'list'],
    ['upload', 'show', upload.id],
    ['stats'],
  ]) {
    for (const format of [[], ['--json']]) {
      const { status, output } = await svcd(directory, [...args, ...format])
      expect([status, output.includes('canary')]).toEqual([0, false])
      // Where it came from is for who looks into one upload.
      expect(output.includes('192.0.2.7')).toBe(args[1] === 'show' && args[0] === 'upload')
    }
  }
})
