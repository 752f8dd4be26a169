import { afterEach, beforeEach, expect, test } from 'vitest'
import { newTarget, pairs, tus } from '../resumable/tus.ts'
import { accountsConfig, createUser, root, signIn, userPassword } from '../support/clients/accounts.ts'
import { sendRequest, errorIn, type TestResponse } from '../support/clients/send-request.ts'
import { expectNothingLeft } from '../support/servers/nothing-left.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { lookUp, storedFiles } from '../support/servers/server-data.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

const reached = { status: 429, code: 'budget_reached' }
const off = Infinity
const none = {
  uploads: off,
  files: off,
  bytes: off,
  cliCodes: off,
  passwordUploads: off,
  qrCodes: off,
  exempt: ['198.51.100.0/24'],
}
const options = (budgets: Partial<typeof none>): TestServerOptions => ({
  config: {
    budgets: { ...none, ...budgets },
    trustedProxies: ['127.0.0.0/8'],
    accounts: accountsConfig,
  },
  features: { feature_authentication: 'enabled' },
})

let server: TestServer
const start = async (budgets: Partial<typeof none>) => {
  server = await startTestServer(options(budgets))
}
beforeEach(() => {
  server = undefined as never
})
afterEach(() => server.close())

const guest = '192.0.2.1'
const post = (path: string, content: object, from: string, headers = {}) =>
  sendRequest(server.url, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
    body: JSON.stringify(content),
  })

/** The unit of each budget, and a request that uses one. */
const spenders: Record<string, (from: string) => Promise<TestResponse>> = {
  uploads: (from) => post('/upload', {}, from),
  files: (from) => post('/upload', { files: [{ fileName: 'a' }] }, from),
  cliCodes: (from) => post('/auth/cli/init', { hostname: 'h' }, from),
  passwordUploads: (from) => post('/upload', { password: 'secret' }, from),
  qrCodes: (from) => sendRequest(server.url, '/qrcode?url=x', { headers: { 'x-forwarded-for': from } }),
}

test.each(Object.entries(spenders))(
  '%s: each network has a budget until the next hour',
  async (budget, spend) => {
    await start({ [budget]: 2 })
    const statuses = async (...from: readonly string[]) => {
      const responses: number[] = []
      for (const address of from) responses.push((await spend(address)).status)
      return responses
    }
    server.clock.advance(59 * 60_000)
    expect(await statuses(guest, guest, guest)).toEqual([200, 200, 429])
    const rejected = await spend(guest)
    expect(errorIn(rejected)).toEqual(reached)
    expect(rejected.headers['retry-after']).toBe('60')
    expect(await statuses('192.0.2.2', '2001:db8::1', '2001:db8::2', '2001:db8::3')).toEqual([
      200, 200, 200, 429,
    ])
    expect(await statuses('2001:db8:0:1::1')).toEqual([200])
    expect(await statuses('198.51.100.7', '198.51.100.7', '198.51.100.7')).toEqual([200, 200, 200])
    server.clock.advance(60_000)
    expect(await statuses(guest, guest, guest)).toEqual([200, 200, 429])
  },
)

test('every way to add a file counts, and a rejected upload leaves nothing behind', async () => {
  await start({ files: 4 })
  const target = await newTarget(server)
  const headers = { ...target.headers, 'content-type': formType }
  const add = () =>
    sendRequest(server.url, `/file/${target.id}`, { method: 'POST', headers, body: fileForm('x') })
  const begin = () =>
    tus(server, target, 'POST', {
      headers: { 'upload-metadata': pairs({ filename: 'x' }), 'upload-length': 1 },
    })
  const put = () => sendRequest(server.url, '/f', { method: 'PUT', body: 'x' })
  const form = () => sendRequest(server.url, '/', { method: 'POST', headers, body: fileForm('x') })
  expect([(await add()).status, (await begin()).status, (await put()).status, (await form()).status]).toEqual(
    [200, 201, 200, 200],
  )
  const before = lookUp(server, 'select count(*) from uploads')
  for (const rejected of [await add(), await begin(), await put(), await form()])
    expect(rejected.status).toBe(429)
  const declared = await post('/upload', { files: [{ fileName: 'a' }] }, '127.0.0.1')
  expect(errorIn(declared)).toEqual(reached)
  expect(lookUp(server, 'select count(*) from uploads')).toEqual(before)
})

test('bytes: announced bytes beyond the budget, and bytes of unknown length', async () => {
  await start({ bytes: 100_000 })
  const put = (bytes: number, headers = {}) =>
    sendRequest(server.url, '/f?ttl=60', { method: 'PUT', headers, body: new Uint8Array(bytes) })
  expect((await put(60_000)).status).toBe(200)
  expect((await put(40_001)).status).toBe(429)
  expect((await put(40_001, { 'transfer-encoding': 'chunked' })).status).toBe(429)
  expect(storedFiles(server)).toHaveLength(1)
  server.clock.advance(60 * 60_000)
  await server.clean()
  await expectNothingLeft(server)
})

test('a signed-in user has a separate budget, from any address', async () => {
  await start({ uploads: 2 })
  const admin = await signIn(server, root)
  await createUser(server, admin, { provider: 'local', login: 'carol' })
  const carol = await signIn(server, { login: 'carol', password: userPassword })
  const create = async (from: string, headers = {}) => (await post('/upload', {}, from, headers)).status
  expect([await create(guest), await create(guest), await create(guest)]).toEqual([200, 200, 429])
  expect(await create(guest, carol.headers)).toBe(200)
  expect(await create('203.0.113.1', carol.headers)).toBe(200)
  expect(await create('203.0.113.2', carol.headers)).toBe(429)
  expect(await create('203.0.113.2', admin.headers)).toBe(200)
})

test('several servers on one database share the budgets, and a restart keeps them', async () => {
  await start({ uploads: 4 })
  const { clock, directory } = server
  const other = await startTestServer({ ...options({ uploads: 4 }), clock, directory })
  const createAt = async ({ url }: TestServer) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': guest }
    return (await sendRequest(url, '/upload', { method: 'POST', headers, body: '{}' })).status
  }
  const counted = () => Number(lookUp(server, 'select sum(used) from budgets')[0] ?? 0)
  try {
    expect([await createAt(server), await createAt(other)]).toEqual([200, 200])
    expect(counted()).toBe(0)
    clock.advance(5_000)
    await until('both have written', () => counted() === 2)
    // Each server reads the usage of the other as it writes.
    expect([await createAt(server), await createAt(other)]).toEqual([200, 200])
    clock.advance(5_000)
    await until('both have written again', () => counted() === 4)
    expect([await createAt(server), await createAt(other)]).toContain(429)
  } finally {
    await other.close()
  }
  const again = await startTestServer({ ...options({ uploads: 4 }), clock, directory })
  try {
    await createAt(again)
    clock.advance(5_000)
    await until('the new one knows', async () => (await createAt(again)) === 429)
  } finally {
    await again.close()
  }
})
