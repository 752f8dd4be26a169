import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { userTokenKeys } from '../../src/domain/user-token-keys.ts'
import { headers, type UserToken } from '@svc/contract'
import { signIn } from '../support/clients/accounts.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { json, svcd, type CommandLineOptions } from './command-line.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'

let server: TestServer
beforeEach(async () => {
  const directory = await emptyDirectory()
  server = await startTestServer({ directory, features: { feature_authentication: 'enabled' } })
})
afterEach(async () => {
  await server.close()
})

const run = (args: readonly string[], options: CommandLineOptions = {}) =>
  svcd(server.directory, args, { clock: server.clock, ...options })
const password = 'battery staple'
const createBob = (...args: string[]) =>
  run(['user', 'create', 'bob', '--password-stdin', ...args], { input: password })
const statusAs = async (path: string, cookie: string) =>
  (await sendRequest(server.url, path, { headers: { cookie } })).status

test('a user who was just created can sign in', async () => {
  await expect(signIn(server, { login: 'bob', password })).rejects.toThrow('wrong login or password')
  await createBob()
  const { cookie } = await signIn(server, { login: 'bob', password })
  expect(await statusAs('/me', cookie)).toBe(200)
})

test('a generated password is the password, and no other', async () => {
  const { output } = await run(['user', 'create', 'bob', '--generate-password'])
  const generated = /^password: (.*)$/m.exec(output)?.[1] ?? ''
  await signIn(server, { login: 'bob', password: generated })
  expect(lookUp(server, 'select passwordHash from users')[0]).toMatch(/^\$argon2id\$/)
})

test('a new password ends all sessions, a new name none', async () => {
  await createBob()
  const { cookie } = await signIn(server, { login: 'bob', password })
  await run(['user', 'update', 'bob', '--name=Bob'])
  expect(await statusAs('/me', cookie)).toBe(200)
  await run(['user', 'update', 'bob', '--password-stdin'], { input: 'correct horse' })
  expect(await statusAs('/me', cookie)).toBe(403)
  await expect(signIn(server, { login: 'bob', password })).rejects.toThrow('wrong login or password')
  await signIn(server, { login: 'bob', password: 'correct horse' })
})

test('the data of a user is printed while the server runs, with the browser and the token of the user', async () => {
  await createBob('--email=bob@mail.example')
  await signIn(server, { login: 'bob', password })
  const path = await quickUpload((await run(['token', 'create', 'bob', '--comment=laptop'])).output.trim())
  const { output } = await run(['user', 'data', 'bob'])
  expect(JSON.parse(output)).toMatchObject({
    user: { id: 'local:bob', email: 'bob@mail.example' },
    sessions: [{ address: '127.0.0.1' }],
    tokens: [{ comment: 'laptop' }],
    uploads: [{ address: '127.0.0.1', files: [{ fileName: path.split('/').at(-1), status: 'uploaded' }] }],
  })
})

test('a change of admin rights applies at once, both ways', async () => {
  await createBob()
  await run(['user', 'create', 'root', '--admin', '--generate-password'])
  const { cookie } = await signIn(server, { login: 'bob', password })
  const seen = async (option: string) => {
    await run(['user', 'update', 'bob', option])
    return statusAs('/stats', cookie)
  }
  expect([await statusAs('/stats', cookie), await seen('--admin'), await seen('--no-admin')]).toEqual([
    403, 200, 403,
  ])
})

test('a deletion removes the user with sessions, tokens and uploads', async () => {
  await createBob()
  const { cookie } = await signIn(server, { login: 'bob', password })
  const userToken = (await run(['token', 'create', 'bob'])).output.trim()
  const path = await quickUpload(userToken)
  expect((await sendRequest(server.url, path)).status).toBe(200)
  expect((await run(['user', 'delete', 'bob', '--yes'])).output).toBe('deleted local:bob\n')
  expect(await statusAs('/me', cookie)).toBe(403)
  expect((await sendRequest(server.url, path)).status).toBe(404)
  expect((await putFile(userToken)).status).toBe(403)
})

const putFile = (userToken: string) =>
  sendRequest(server.url, '/file.txt', {
    method: 'PUT',
    body: 'content',
    headers: { [headers.userToken]: userToken },
  })

/** Path of a file that a user uploads. */
async function quickUpload(userToken: string): Promise<string> {
  const { status, text } = await putFile(userToken)
  if (status !== 200) throw new Error(text)
  return new URL(text.trim()).pathname
}

test('a token is printed alone, works until it is deleted, and is listed', async () => {
  await createBob()
  const { output } = await run(['token', 'create', 'bob', '--comment=backup', '--expires=90d'])
  expect(output).toMatch(/^svct_[0-9A-Za-z]{36}\n$/)
  const token = output.trim()
  const { id, prefix } = userTokenKeys(token)
  const listed: UserToken = {
    id,
    token: `${prefix}…`,
    comment: 'backup',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-04-01T00:00:00.000Z',
  }
  const list = () => json(server.directory, ['token', 'list', 'bob'], { clock: server.clock })
  expect(await list()).toEqual([listed])
  await quickUpload(token)
  expect(await list()).toEqual([{ ...listed, lastUsedAt: '2026-01-01T00:00:00.000Z' }])
  expect((await run(['token', 'list', 'local:bob'])).output).toBe(
    `ID                TOKEN       SCOPES  CREATED               USED                  EXPIRES               COMMENT\n` +
      `${id}  ${prefix}…  all     2026-01-01T00:00:00Z  2026-01-01T00:00:00Z  2026-04-01T00:00:00Z  backup\n`,
  )
  expect(await run(['token', 'delete', token])).toEqual({
    status: 0,
    output: 'deleted a token of local:bob\n',
    stderr: '',
  })
  expect((await putFile(token)).status).toBe(403)
  expect(await list()).toEqual([])
})

test('a token can be limited, and deleted by its id', async () => {
  await createBob()
  const token = (await run(['token', 'create', 'bob', '--scopes', 'manage, read'])).output.trim()
  expect(await json(server.directory, ['token', 'list', 'bob'])).toMatchObject([
    { scopes: ['read', 'manage'] },
  ])
  expect((await putFile(token)).status).toBe(403)
  const { id } = userTokenKeys(token)
  expect(await json(server.directory, ['token', 'delete', id])).toEqual({ deleted: id, user: 'local:bob' })
  expect(await json(server.directory, ['token', 'list', 'bob'])).toEqual([])
})

test('a new password ends sessions and tokens', async () => {
  await createBob()
  const { cookie } = await signIn(server, { login: 'bob', password })
  const token = (await run(['token', 'create', 'bob'])).output.trim()
  await run(['user', 'update', 'bob', '--generate-password'])
  expect([await statusAs('/me', cookie), (await putFile(token)).status]).toEqual([403, 403])
})

test.each([
  [['token', 'create', 'bob', '--scopes=read,write'], 2, 'scopes/1 must be one of'],
  [['token', 'create', 'bob', '--scopes='], 2, 'scopes/0 must be one of'],
  [['token', 'create', 'eve'], 1, 'the user local:eve does not exist'],
  [['token', 'list', 'eve'], 1, 'the user local:eve does not exist'],
  [['token', 'delete', 'svct_none'], 1, 'token not found: it may have been revoked'],
  [['token', 'create', 'bob', '--expires=unlimited'], 2, '--expires must be a duration'],
  [['token', 'create', 'bob', `--comment=${'x'.repeat(257)}`], 2, 'comment must have at most 256 characters'],
  [['upload', 'list', '--user=eve'], 1, 'the user local:eve does not exist'],
  [['upload', 'show', '../../etc/passwd'], 1, 'upload not found'],
  [['upload', 'delete', 'AAAAAAAAAAAAAAAA'], 1, 'upload not found'],
])('%j ends with status %i and says why', async (args, expected, reason) => {
  await createBob()
  const { status, output, stderr } = await run(args)
  expect([status, output]).toEqual([expected, ''])
  expect(stderr).toContain(reason)
})

test('no command creates a data directory that is not there: it may be a disk that is not mounted', async () => {
  await storeUpload(server)
  const files = join(server.directory, 'files')
  await rename(files, `${files}-unmounted`)
  for (const args of [['stats'], ['stats', '--recount'], ['upload', 'list'], ['clean'], ['verify']]) {
    await run(args)
    expect(existsSync(files), args.join(' ')).toBe(false)
  }
})
