import { randomUUID } from 'node:crypto'
import { userToken } from '@svc/contract'
import { beforeEach, expect, test } from 'vitest'
import { userTokenKeys } from '../../../src/domain/user-token-keys.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { svcd } from '../command-line.ts'
import { fillDatabase } from './filled-database.ts'

let source: string
let directory: string
beforeEach(async () => {
  source = await emptyDirectory()
  directory = await emptyDirectory()
  await fillDatabase(source)
})

type Line = Readonly<Record<string, unknown>>

/** Two tokens as exports of version 1 have them: whole, also the one that stands in an upload and is revoked. */
const bobs = userToken('b'.repeat(30))
const legacy = randomUUID()
const revoked = userToken('r'.repeat(30))

const tokenLine = (token: string, userId: string): Line => ({
  kind: 'token',
  token,
  userId,
  comment: 'c',
  createdAt: 1,
  usedAt: null,
  expireAt: 9_000,
})

/** The export of a filled database as the first version of the format has it. */
async function version1(change: (line: Line) => Line = (line) => line): Promise<string> {
  const { output } = await svcd(source, ['export', '-'])
  const lines = output
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Line)
  const tokens = [tokenLine(bobs, 'local:bob'), tokenLine(legacy, 'local:bob')]
  const earlier = lines.map((line): Line => {
    if (line['kind'] === 'export') return { kind: 'export', version: 1 }
    if (line['kind'] === 'token') return tokens.shift() ?? line
    if (line['id'] === 'A000000000000001') return { ...line, userToken: bobs }
    if (line['id'] === 'D000000000000004') return { ...line, userToken: revoked }
    return line
  })
  return earlier.map((line) => `${JSON.stringify(change(line))}\n`).join('')
}

const importing = (input: string) => svcd(directory, ['import', '-'], { input })

test('an export that has whole tokens is imported: the database has their hashes, and no token', async () => {
  expect(await importing(await version1())).toMatchObject({ status: 0 })
  const rows = lookUp({ directory }, 'select json_array(id, tokenHash, prefix, scopes, renewal) from tokens')
  const expected = [bobs, legacy].map((token) => {
    const { id, tokenHash, prefix } = userTokenKeys(token)
    return JSON.stringify([id, tokenHash, prefix, null, null])
  })
  expect(rows.toSorted()).toEqual(expected.toSorted())
  const used = 'select userToken from uploads where userToken is not null order by id'
  expect(lookUp({ directory }, used)).toEqual([bobs, revoked].map((token) => userTokenKeys(token).id))
})

test.each([
  ['a token of today', { kind: 'token', id: 'a'.repeat(16) }, /^line 4: /],
  [
    'a text that is not a token',
    { ...tokenLine('short', 'local:bob') },
    /^line 4: token has an invalid format/,
  ],
])('%s has no place in such an export', async (_what, line, reason) => {
  let count = 0
  const text = await version1((record) => (record['kind'] === 'token' && (count += 1) === 1 ? line : record))
  const { status, stderr } = await importing(text)
  expect(status).toBe(1)
  expect(stderr).toMatch(reason)
  expect(lookUp({ directory }, 'select count(*) from users')).toEqual([0])
})

const limitFields = ['maxDownloads', 'downloads', 'claimed']

test('an export from before the download limits is imported: files have no limit and no downloads', async () => {
  const without = (line: Line): Line =>
    Object.fromEntries(Object.entries(line).filter(([name]) => !limitFields.includes(name)))
  expect(await importing(await version1(without))).toMatchObject({ status: 0 })
  const counts = 'select distinct json_array(maxDownloads, downloads, claimed) from files join uploads'
  expect(lookUp({ directory }, `${counts} on uploads.id = files.uploadId`)).toEqual(['[null,0,0]'])
})

test('downloads that were running during an export count in the database that imports it', async () => {
  const running = (line: Line): Line => (line['downloads'] === 2 ? { ...line, claimed: 1 } : line)
  expect(await importing(await version1(running))).toMatchObject({ status: 0 })
  const limited = 'select json_array(maxDownloads, downloads, claimed) from files join uploads'
  expect(lookUp({ directory }, `${limited} on uploads.id = files.uploadId where downloads > 0`)).toEqual([
    '[5,3,0]',
  ])
})
