import { endpoints, openApi } from '@svc/contract'
import { afterEach, expect, test } from 'vitest'
import { recordRequests } from '../../../test/recorded-requests.ts'
import { createServers } from '../../../test/served.ts'
import { createClient, type Client } from '../client.ts'
import { notificationRows } from './notifications.fixture.ts'
import { uploadRequestRows } from './upload-requests.fixture.ts'

const { served, close } = createServers()
afterEach(close)

/** A client of a server that records its requests. */
async function listening(responseBody?: string, blockedMethod?: string) {
  const { baseURL, requests } = await recordRequests(served, {
    responseBody,
    blockedMethod,
    size: hello.size,
  })
  return { client: createClient({ baseURL }), requests }
}

const hello = new Blob(['hello'])
const id = 'idp1:zoë/a%b@x.example'
const encoded = 'idp1%3Azo%C3%AB%2Fa%25b%40x.example'

interface Call {
  readonly send: (client: Client) => Promise<unknown>
  /** The values of the path parameters. */
  readonly at?: string | readonly string[]
  readonly query?: string
  readonly body?: unknown
  /** The call sends this request among others. */
  readonly among?: true
  /** The method that a proxy between client and server blocks. */
  readonly blockedMethod?: string
}

const login = { login: 'ada', password: 'secret word' }
const cli = { code: 'ABCD-EFGH', secret: 's' }
const page = { limit: 5, order: 'asc', after: 'a b' } as const

const stored = { id: 'u1', downloadURL: undefined, stream: false }
const streamed = { ...stored, stream: true }
const file = { id: 'f1', fileName: 'a b.txt' }
const atFile = ['u1', 'f1', 'a%20b.txt']
const form = { fileName: 'a b.txt', resumable: false } as const
const resumable = { fileName: 'a b.txt', resumable: { threshold: -1 } } as const
const memory = { get: () => 'f1', set: () => undefined, remove: () => undefined }
const head = { method: 'HEAD' } as const

const calls: Readonly<Record<string, Call>> = {
  health: { send: (client) => client.health() },
  ready: { send: (client) => client.ready() },
  getConfiguration: { send: (client) => client.configuration() },
  getVersion: { send: (client) => client.version() },
  getQrCode: {
    send: (client) => client.qrCode('https://a.example/?b', 300),
    query: '?url=https%3A%2F%2Fa.example%2F%3Fb&size=300',
  },
  getShareX: { send: (client) => client.shareX() },

  quickUpload: { send: (client) => client.quickUpload(hello, form, { ttl: '1d' }), query: '?ttl=1d' },
  createUpload: { send: (client) => client.createUpload({ ttl: 60 }), body: { ttl: 60 } },
  listDownloads: {
    send: (client) => client.downloads('u1', page),
    at: 'u1',
    query: '?limit=5&order=asc&after=a+b',
  },
  mailLink: {
    send: (client) => client.mailLink('u1', { addresses: ['eve@x.example'], message: 'm' }),
    at: 'u1',
    body: { addresses: ['eve@x.example'], message: 'm' },
  },
  getUpload: { send: (client) => client.upload('u1'), at: 'u1' },
  changeUpload: {
    send: (client) => client.changeUpload('u1', { alias: 'holiday' }),
    at: 'u1',
    body: { alias: 'holiday' },
  },
  removeUpload: { send: (client) => client.removeUpload('u1'), at: 'u1' },

  ...uploadRequestRows,
  ...notificationRows,
  streamUploadEvents: {
    send: (client) => Array.fromAsync(client.uploadEvents(['u1', 'u2'], { wait: 0 })),
    query: '?id=u1&id=u2&wait=0',
  },
  streamMyEvents: { send: (client) => Array.fromAsync(client.myEvents({ wait: 0 })), query: '?wait=0' },

  addFile: { send: (client) => client.addFile('u1', hello, form), at: 'u1' },
  addDeclaredFile: { send: (client) => client.addFile('u1', hello, { ...form, fileID: 'f1' }), at: atFile },
  removeFile: { send: (client) => client.removeFile('u1', file), at: atFile },
  downloadFile: { send: (client) => client.download(stored, file), at: atFile },
  downloadFileHead: { send: (client) => client.download(stored, file, head), at: atFile },
  putPreview: { send: (client) => client.addPreview('u1', file, hello), at: atFile },
  getPreview: { send: (client) => client.preview(stored, file), at: atFile },
  getPreviewHead: { send: (client) => client.preview(stored, file, head), at: atFile },
  downloadArchive: { send: (client) => client.downloadArchive(stored), at: ['u1', 'u1.zip'] },
  downloadArchiveHead: {
    send: (client) => client.downloadArchive(stored, 'b.zip', head),
    at: ['u1', 'b.zip'],
  },
  sendStream: { send: (client) => client.sendStream('u1', file, hello, {}), at: atFile },
  cancelStream: { send: (client) => client.cancelStream('u1', file), at: atFile },
  downloadStream: { send: (client) => client.download(streamed, file), at: atFile },
  downloadStreamHead: { send: (client) => client.download(streamed, file, head), at: atFile },

  tusCreate: { send: (client) => client.sendFile('u1', hello, resumable), at: 'u1', among: true },
  tusPatch: { send: (client) => client.sendFile('u1', hello, resumable), at: ['u1', 'f1'], among: true },
  tusHead: {
    send: (client) =>
      client.sendFile('u1', hello, { ...resumable, resumable: { threshold: -1, memory, fingerprint: 'a' } }),
    at: ['u1', 'f1'],
    among: true,
  },
  tusOverride: {
    send: (client) => client.sendFile('u1', hello, resumable),
    at: ['u1', 'f1'],
    among: true,
    blockedMethod: 'PATCH',
  },

  localLogin: { send: (client) => client.localLogin(login), body: login },
  logout: { send: (client) => client.logout() },
  providerLogin: { send: (client) => client.providerLogin('idp2'), at: 'idp2' },
  startCliLogin: { send: (client) => client.startCliLogin({ hostname: 'pc' }), body: { hostname: 'pc' } },
  describeCliLogin: {
    send: (client) => client.describeCliLogin({ code: cli.code }),
    body: { code: cli.code },
  },
  approveCliLogin: {
    send: (client) => client.approveCliLogin({ code: cli.code, comment: 'c' }),
    body: { code: cli.code, comment: 'c' },
  },
  pollCliLogin: { send: (client) => client.pollCliLogin(cli), body: cli },

  getMe: { send: (client) => client.me() },
  updateMe: { send: (client) => client.updateMe({ name: 'Ada' }), body: { name: 'Ada' } },
  removeMe: { send: (client) => client.removeMe() },
  listMyTokens: { send: (client) => client.myTokens(page), query: '?limit=5&order=asc&after=a+b' },
  createMyToken: { send: (client) => client.createMyToken({ comment: 'c' }), body: { comment: 'c' } },
  revokeMyToken: { send: (client) => client.revokeMyToken('svct_1/2'), at: 'svct_1%2F2' },
  listMySessions: { send: (client) => client.mySessions() },
  revokeMySession: { send: (client) => client.revokeMySession('s1'), at: 's1' },
  listMyUploads: {
    send: (client) => client.myUploads({ sort: 'size', oneShot: false, e2ee: true }),
    query: '?sort=size&oneShot=false&e2ee=true',
  },
  removeMyUploads: { send: (client) => client.removeMyUploads() },
  getMyStats: { send: (client) => client.myStats() },

  createUser: {
    send: (client) => client.createUser({ provider: 'local', ...login }),
    body: { provider: 'local', ...login },
  },
  getUser: { send: (client) => client.user(id), at: encoded },
  updateUser: {
    send: (client) => client.updateUser(id, { admin: true, maxTTL: -1 }),
    at: encoded,
    body: { admin: true, maxTTL: -1 },
  },
  removeUser: { send: (client) => client.removeUser(id), at: encoded },
  getStats: { send: (client) => client.stats() },
  getDailyStats: {
    send: (client) => client.dailyStats({ from: '2026-10-01', to: '2026-10-31' }),
    query: '?from=2026-10-01&to=2026-10-31',
  },
  listUsers: {
    send: (client) => client.users({ provider: 'oidc', admin: true }),
    query: '?provider=oidc&admin=true',
  },
  searchUsers: {
    send: (client) => client.searchUsers({ q: 'a&b=c', limit: 3 }),
    query: '?q=a%26b%3Dc&limit=3',
  },
  listUploads: {
    send: (client) => client.uploads({ user: id, before: 'x' }),
    query: `?user=${encoded}&before=x`,
  },
}

const otherProtocol = 'files go in pieces by tus; this is the same by the protocol of the IETF'

/** Operations without a call, and why. */
const notForClients: Readonly<Record<string, string>> = {
  browseFiles: 'for programs that read directories',
  browseFilesHead: 'for programs that read directories',
  previewLink: 'people and programs that show previews follow it',
  providerCallback: 'the provider redirects a browser there',
  quickUploadRaw: 'for `curl -T`; quickUpload does the same',
  tusOptions: 'the creation of a resumable upload shows whether the server accepts it',
  tusDelete: 'removeFile also removes unfinished files',
  resumableOptions: otherProtocol,
  resumableCreate: otherProtocol,
  resumableHead: otherProtocol,
  resumableAppend: otherProtocol,
  resumableCancel: otherProtocol,
}

type Paths = Record<string, Record<string, { readonly operationId: string }>>
const { paths } = openApi(endpoints, { version: '', baseURL: '' }) as unknown as { readonly paths: Paths }
const operations = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      { method: method.toUpperCase(), path },
    ]),
  ),
)

test('every operation of the OpenAPI description has a call, except those that are not for clients', () => {
  const known = [...Object.keys(calls), ...Object.keys(notForClients)]
  expect(known.toSorted()).toEqual([...operations.keys()].toSorted())
})

test.for(Object.entries(calls))('%s sends the request that the contract describes', async ([name, call]) => {
  const { client, requests } = await listening(undefined, call.blockedMethod)
  await call.send(client)
  const { method, path = '' } = operations.get(name) ?? {}
  const places = [call.at ?? []].flat().values()
  const url = path.replaceAll(/\{\w+\}/g, () => places.next().value ?? '') + (call.query ?? '')
  const seen = call.among
    ? requests.filter((request) => request.method === method && request.url === url)
    : requests
  expect(seen).toEqual([{ method, url, body: call.body }])
})

test('responses have their types', async () => {
  const consent = await listening('https://idp.example/consent?state=1\n')
  expect(await consent.client.providerLogin('oidc')).toBe('https://idp.example/consent?state=1')
  const json = await listening('{"status":"pending"}')
  expect(await json.client.pollCliLogin(cli)).toEqual({ status: 'pending' })
  const ok = await listening('ok')
  await expect(ok.client.localLogin(login)).resolves.toBe(undefined)
})

test('undefined values are omitted from a query', async () => {
  const { client, requests } = await listening()
  await client.users()
  await client.myUploads({})
  expect(requests.map(({ url }) => url)).toEqual(['/users', '/me/uploads'])
})

test('a token that narrows a listing is not part of its URL', async () => {
  const requests: { url: string | undefined; paging: unknown }[] = []
  const baseURL = await served((request, response) => {
    requests.push({ url: request.url, paging: request.headers['x-svc-paging'] })
    response.end('{}')
  })
  const client = createClient({ baseURL })
  await client.myUploads({ token: 'svct_secret', sort: 'size' })
  await client.uploads({ token: 'svct_secret' })
  await client.uploads()
  expect(requests).toEqual([
    { url: '/me/uploads?sort=size', paging: '{"token":"svct_secret"}' },
    { url: '/uploads', paging: '{"token":"svct_secret"}' },
    { url: '/uploads', paging: undefined },
  ])
})

test('a poll can be aborted', async () => {
  const baseURL = await served(() => undefined)
  const stop = new AbortController()
  const polling = createClient({ baseURL }).pollCliLogin(cli, { signal: stop.signal })
  stop.abort()
  await expect(polling).rejects.toHaveProperty('name', 'AbortError')
})
