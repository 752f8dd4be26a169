import { createHash } from 'node:crypto'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Upload } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountsConfig, signIn } from '../../support/clients/accounts.ts'
import { basic, jsonIn, sendRequest } from '../../support/clients/send-request.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { svcd } from '../../commands/command-line.ts'

/** What the program that filled the sample did; written beside it. */
interface Expected {
  readonly users: Readonly<
    Record<
      string,
      { readonly password?: string; readonly admin?: boolean; readonly tokens?: readonly string[] }
    >
  >
  readonly uploads: readonly {
    readonly what: string
    readonly id: string
    readonly uploadToken: string
    readonly owner: string | null
    readonly options: Readonly<Record<string, unknown>>
    readonly files: readonly {
      readonly id: string
      readonly name: string
      readonly size: number
      readonly md5: string
      readonly sha256: string
    }[]
  }[]
}

/** An installation as a server of Plik 1.4.2 left it. */
const sample = join(import.meta.dirname, 'sample')
const expected = JSON.parse(await readFile(join(sample, 'expected.json'), 'utf8')) as Expected
/** A day after the sample was made: some of its uploads live 20 or 30 days. */
const nextDay = Date.UTC(2026, 10, 24)

let server: TestServer
let report: string
beforeAll(async () => {
  const directory = await emptyDirectory()
  // SQLite writes beside a database that it opens.
  const plik = join(directory, 'plik')
  await cp(sample, plik, { recursive: true })
  const clock = manualClock(nextDay)
  const { status, output, stderr } = await svcd(
    directory,
    ['import', '--from', 'plik', join(plik, 'plikd.cfg')],
    { clock },
  )
  if (status !== 0) throw new Error(`${stderr}${output}`)
  report = output
  server = await startTestServer({
    directory,
    clock,
    config: { accounts: { ...accountsConfig, defaultAdmin: null } },
    features: { feature_authentication: 'enabled', feature_extend_ttl: 'enabled' },
  })
})
afterAll(() => server.close())

const uploadOf = (what: string) => {
  const found = expected.uploads.find((upload) => upload.what === what)
  if (found === undefined) throw new Error(`the sample has no upload “${what}”`)
  return found
}
const authorization = ({ login, password }: Readonly<Record<string, unknown>>) =>
  typeof login === 'string' && typeof password === 'string' ? { authorization: basic(login, password) } : {}
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  sendRequest(server.url, path, { headers })
const metadata = async ({ id }: { readonly id: string }) => jsonIn(await get(`/upload/${id}`)) as Upload

const ended = ['removed upload', 'guest, one-second life, expired', 'guest, stream without a recipient']
const goneFiles = new Set(['gone.txt', 'removed.txt'])
const kept = expected.uploads.filter(({ what }) => !ended.includes(what))

test('the report counts what was kept and what was left out', () => {
  expect(report).toBe(
    [
      'imported 4 users, 2 tokens, 12 uploads, 15 files (300 kB)',
      'already present: 0 users, 0 tokens, 0 uploads, 0 files',
      'uploads left out: 1 removed, 1 expired, 1 stream',
      'warning: users cannot sign in: the configuration has FeatureAuthentication = "disabled"',
      '',
    ].join('\n'),
  )
})

test.each(kept)('$what: the old links lead to the same bytes', async ({ id, files, options }) => {
  for (const file of files) {
    const response = await get(
      `/file/${id}/${file.id}/${encodeURIComponent(file.name)}`,
      authorization(options),
    )
    expect(response.status).toBe(goneFiles.has(file.name) ? 404 : 200)
    if (goneFiles.has(file.name)) continue
    expect(response.body).toHaveLength(file.size)
    expect(createHash('md5').update(response.body).digest('hex')).toBe(file.md5)
    expect(createHash('sha256').update(response.body).digest('hex')).toBe(file.sha256)
  }
})

test.each(kept)('$what: the upload token still belongs to it', async ({ id, uploadToken, options }) => {
  const headers = { ...authorization(options), 'x-uploadtoken': uploadToken }
  expect(jsonIn(await get(`/upload/${id}`, headers))).toMatchObject({ id, admin: true })
})

test.each(ended)('%s: has ended', async (what) => {
  expect((await get(`/upload/${uploadOf(what).id}`)).status).toBe(404)
})

test('a password protects, with its login', async () => {
  const { id, options } = uploadOf('guest, password with another login')
  expect((await get(`/upload/${id}`)).status).toBe(401)
  expect((await get(`/upload/${id}`, authorization({ ...options, login: 'plik' }))).status).toBe(401)
})

test('options are kept', async () => {
  expect(await metadata(uploadOf('guest, several files, comments'))).toMatchObject({
    comments: '**Photos** of Rome',
  })
  expect(await metadata(uploadOf('removable, one file removed'))).toMatchObject({ removable: true })
  expect(await metadata(uploadOf('alice, extend_ttl, thirty days'))).toMatchObject({
    extend_ttl: true,
    ttl: 2_592_000,
  })
  expect(await metadata(uploadOf('admin, never expires'))).toMatchObject({ ttl: -1 })
  expect(await metadata(uploadOf('guest, end-to-end label'))).toMatchObject({ e2ee: 'age' })
  expect((await metadata(uploadOf('guest, declared file that never came'))).files).toMatchObject([
    { fileName: 'never.bin', status: 'missing' },
  ])
})

test('users sign in with their passwords, and have their uploads', async () => {
  for (const [login, { password, admin = false }] of Object.entries(expected.users)) {
    if (password === undefined) continue
    const session = await signIn(server, { login, password })
    expect(jsonIn(await get('/me', session.headers))).toMatchObject({ login, admin })
    const { results } = jsonIn(await get('/me/uploads', session.headers)) as {
      readonly results: readonly { readonly id: string }[]
    }
    const own = expected.uploads.filter(({ owner }) => owner === login || owner === `${login} (token)`)
    expect(results.map(({ id }) => id).toSorted()).toEqual(own.map(({ id }) => id).toSorted())
  }
})

test('a token of a user still works', async () => {
  const [token] = expected.users['alice']?.tokens ?? []
  if (token === undefined) throw new Error('the sample has no token')
  const response = await sendRequest(server.url, '/upload', {
    method: 'POST',
    headers: { 'x-svctoken': token, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(response.status).toBe(200)
})
