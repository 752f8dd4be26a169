import { buffer } from 'node:stream/consumers'
import { endpoints, openApi } from '@svc/contract'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { createServers } from '../../test/served.ts'
import { createClient, type Client } from './client.ts'

const { served, close } = createServers()
afterEach(close)

interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly body: unknown
}

/** A server that answers everything with the same JSON, takes pieces of files, and what it was asked. */
async function listening(
  answer = '{"answer":1,"id":"u1","files":[]}',
  refused?: string,
): Promise<{ client: Client; asked: Asked[] }> {
  const asked: Asked[] = []
  const baseURL = await served((request, response) => {
    void buffer(request).then((body) => {
      const { method, url, headers } = request
      const isJson = headers['content-type'] === 'application/json'
      asked.push({ method, url, body: isJson ? (JSON.parse(body.toString()) as unknown) : undefined })
      const offset = Number(headers['upload-offset'] ?? 0) + body.length
      const told = {
        'x-uploadid': 'u1',
        'x-fileid': 'f1',
        'upload-offset': offset,
        'upload-length': hello.size,
      }
      if (method === refused) response.writeHead(405).end('refused')
      else response.writeHead(200, told).end(answer)
    })
  })
  return { client: createClient({ baseURL }), asked }
}

const hello = new Blob(['hello'])
const id = 'idp1:zoë/a%b@x.example'
const encoded = 'idp1%3Azo%C3%AB%2Fa%25b%40x.example'

interface Call {
  readonly ask: (client: Client) => Promise<unknown>
  /** What stands in the path's places. */
  readonly at?: string | readonly string[]
  readonly query?: string
  readonly body?: unknown
  /** It is asked on the way of something else. */
  readonly among?: true
  /** A method that something between does not let pass. */
  readonly refused?: string
}

const login = { login: 'ada', password: 'secret word' }
const cli = { code: 'ABCD-EFGH', secret: 's' }
const page = { limit: 5, order: 'asc', after: 'a b' } as const

const stored = { id: 'u1', downloadURL: undefined, stream: false }
const streamed = { ...stored, stream: true }
const file = { id: 'f1', fileName: 'a b.txt' }
const atFile = ['u1', 'f1', 'a%20b.txt']
const form = { fileName: 'a b.txt', resumable: false } as const
const inPieces = { fileName: 'a b.txt', resumable: { threshold: -1 } } as const
const memory = { get: () => 'f1', set: () => undefined, remove: () => undefined }
const head = { method: 'HEAD' } as const

const calls: Readonly<Record<string, Call>> = {
  health: { ask: (client) => client.health() },
  ready: { ask: (client) => client.ready() },
  getConfiguration: { ask: (client) => client.configuration() },
  getVersion: { ask: (client) => client.version() },
  getQrCode: {
    ask: (client) => client.qrCode('https://a.example/?b', 300),
    query: '?url=https%3A%2F%2Fa.example%2F%3Fb&size=300',
  },
  getShareX: { ask: (client) => client.shareX() },

  quickUpload: { ask: (client) => client.quickUpload(hello, form, { ttl: '1d' }), query: '?ttl=1d' },
  createUpload: { ask: (client) => client.createUpload({ ttl: 60 }), body: { ttl: 60 } },
  getUpload: { ask: (client) => client.upload('u1'), at: 'u1' },
  removeUpload: { ask: (client) => client.removeUpload('u1'), at: 'u1' },

  addFile: { ask: (client) => client.addFile('u1', hello, form), at: 'u1' },
  addDeclaredFile: { ask: (client) => client.addFile('u1', hello, { ...form, fileID: 'f1' }), at: atFile },
  removeFile: { ask: (client) => client.removeFile('u1', file), at: atFile },
  downloadFile: { ask: (client) => client.download(stored, file), at: atFile },
  downloadFileHead: { ask: (client) => client.download(stored, file, head), at: atFile },
  downloadArchive: { ask: (client) => client.downloadArchive(stored), at: ['u1', 'u1.zip'] },
  downloadArchiveHead: {
    ask: (client) => client.downloadArchive(stored, 'b.zip', head),
    at: ['u1', 'b.zip'],
  },
  sendStream: { ask: (client) => client.sendStream('u1', file, hello, {}), at: atFile },
  cancelStream: { ask: (client) => client.cancelStream('u1', file), at: atFile },
  downloadStream: { ask: (client) => client.download(streamed, file), at: atFile },
  downloadStreamHead: { ask: (client) => client.download(streamed, file, head), at: atFile },

  tusCreate: { ask: (client) => client.sendFile('u1', hello, inPieces), at: 'u1', among: true },
  tusPatch: { ask: (client) => client.sendFile('u1', hello, inPieces), at: ['u1', 'f1'], among: true },
  tusHead: {
    ask: (client) =>
      client.sendFile('u1', hello, { ...inPieces, resumable: { threshold: -1, memory, fingerprint: 'a' } }),
    at: ['u1', 'f1'],
    among: true,
  },
  tusOverride: {
    ask: (client) => client.sendFile('u1', hello, inPieces),
    at: ['u1', 'f1'],
    among: true,
    refused: 'PATCH',
  },

  localLogin: { ask: (client) => client.localLogin(login), body: login },
  logout: { ask: (client) => client.logout() },
  providerLogin: { ask: (client) => client.providerLogin('idp2'), at: 'idp2' },
  startCliLogin: { ask: (client) => client.startCliLogin({ hostname: 'pc' }), body: { hostname: 'pc' } },
  describeCliLogin: {
    ask: (client) => client.describeCliLogin({ code: cli.code }),
    body: { code: cli.code },
  },
  approveCliLogin: {
    ask: (client) => client.approveCliLogin({ code: cli.code, comment: 'c' }),
    body: { code: cli.code, comment: 'c' },
  },
  pollCliLogin: { ask: (client) => client.pollCliLogin(cli), body: cli },

  getMe: { ask: (client) => client.me() },
  updateMe: { ask: (client) => client.updateMe({ name: 'Ada' }), body: { name: 'Ada' } },
  removeMe: { ask: (client) => client.removeMe() },
  listMyTokens: { ask: (client) => client.myTokens(page), query: '?limit=5&order=asc&after=a+b' },
  createMyToken: { ask: (client) => client.createMyToken({ comment: 'c' }), body: { comment: 'c' } },
  revokeMyToken: { ask: (client) => client.revokeMyToken('svct_1/2'), at: 'svct_1%2F2' },
  listMySessions: { ask: (client) => client.mySessions() },
  revokeMySession: { ask: (client) => client.revokeMySession('s1'), at: 's1' },
  listMyUploads: {
    ask: (client) => client.myUploads({ sort: 'size', oneShot: false, e2ee: true }),
    query: '?sort=size&oneShot=false&e2ee=true',
  },
  removeMyUploads: { ask: (client) => client.removeMyUploads() },
  getMyStats: { ask: (client) => client.myStats() },

  createUser: {
    ask: (client) => client.createUser({ provider: 'local', ...login }),
    body: { provider: 'local', ...login },
  },
  getUser: { ask: (client) => client.user(id), at: encoded },
  updateUser: {
    ask: (client) => client.updateUser(id, { admin: true, maxTTL: -1 }),
    at: encoded,
    body: { admin: true, maxTTL: -1 },
  },
  removeUser: { ask: (client) => client.removeUser(id), at: encoded },
  getStats: { ask: (client) => client.stats() },
  getDailyStats: {
    ask: (client) => client.dailyStats({ from: '2026-10-01', to: '2026-10-31' }),
    query: '?from=2026-10-01&to=2026-10-31',
  },
  listUsers: {
    ask: (client) => client.users({ provider: 'oidc', admin: true }),
    query: '?provider=oidc&admin=true',
  },
  searchUsers: {
    ask: (client) => client.searchUsers({ q: 'a&b=c', limit: 3 }),
    query: '?q=a%26b%3Dc&limit=3',
  },
  listUploads: {
    ask: (client) => client.uploads({ user: id, before: 'x' }),
    query: `?user=${encoded}&before=x`,
  },
}

const otherProtocol = 'files go in pieces by tus; this is the same by the protocol of the IETF'

/** Operations that no call asks for, and why. */
const notForClients: Readonly<Record<string, string>> = {
  providerCallback: 'the provider sends a browser there',
  quickUploadRaw: 'for `curl -T`; quickUpload does the same',
  tusOptions: 'whether a server takes pieces is seen when a file is begun',
  tusDelete: 'removeFile removes what is not finished, too',
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

test('every operation of the OpenAPI description can be asked, but for those that are not for clients', () => {
  const known = [...Object.keys(calls), ...Object.keys(notForClients)]
  expect(known.toSorted()).toEqual([...operations.keys()].toSorted())
})

test.for(Object.entries(calls))('%s is asked as the contract says', async ([name, call]) => {
  const { client, asked } = await listening(undefined, call.refused)
  await call.ask(client)
  const { method, path = '' } = operations.get(name) ?? {}
  const places = [call.at ?? []].flat().values()
  const url = path.replaceAll(/\{\w+\}/g, () => places.next().value ?? '') + (call.query ?? '')
  const seen = call.among ? asked.filter((one) => one.method === method && one.url === url) : asked
  expect(seen).toEqual([{ method, url, body: call.body }])
})

test('answers come back as they are meant', async () => {
  const consent = await listening('https://idp.example/consent?state=1\n')
  expect(await consent.client.providerLogin('oidc')).toBe('https://idp.example/consent?state=1')
  const json = await listening('{"status":"pending"}')
  expect(await json.client.pollCliLogin(cli)).toEqual({ status: 'pending' })
  const ok = await listening('ok')
  await expect(ok.client.localLogin(login)).resolves.toBe(undefined)
})

test('what is undefined is left out of a query', async () => {
  const { client, asked } = await listening()
  await client.users()
  await client.myUploads({})
  expect(asked.map(({ url }) => url)).toEqual(['/users', '/me/uploads'])
})

test('the id of any user arrives as it is', async () => {
  const { client, asked } = await listening()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), async (name) => {
      fc.pre(name.isWellFormed())
      await client.user(`local:${name}`)
      const [empty, folder, last, ...more] = asked.at(-1)?.url?.split('/') ?? []
      expect({ empty, folder, id: decodeURIComponent(last ?? ''), more }).toEqual({
        empty: '',
        folder: 'user',
        id: `local:${name}`,
        more: [],
      })
    }),
    { numRuns: 60 },
  )
})

test.for(['', '.', '..'])(
  'the id “%s”, which would lead to another endpoint, is not sent',
  async (nothing) => {
    const { client, asked } = await listening()
    const refused = [
      client.revokeMyToken(nothing),
      client.revokeMySession(nothing),
      client.user(nothing),
      client.removeUser(nothing),
      client.updateUser(nothing, {}),
      client.upload(nothing),
      client.removeUpload(nothing),
    ]
    const outcomes = await Promise.allSettled(refused)
    expect(outcomes.map(({ status }) => status)).toEqual(refused.map(() => 'rejected'))
    expect(asked).toEqual([])
  },
)

test('a token that narrows a listing is no part of its address', async () => {
  const asked: { url: string | undefined; paging: unknown }[] = []
  const baseURL = await served((request, response) => {
    asked.push({ url: request.url, paging: request.headers['x-svc-paging'] })
    response.end('{}')
  })
  const client = createClient({ baseURL })
  await client.myUploads({ token: 'svct_secret', sort: 'size' })
  await client.uploads({ token: 'svct_secret' })
  await client.uploads()
  expect(asked).toEqual([
    { url: '/me/uploads?sort=size', paging: '{"token":"svct_secret"}' },
    { url: '/uploads', paging: '{"token":"svct_secret"}' },
    { url: '/uploads', paging: undefined },
  ])
})

test('a poll can be given up', async () => {
  const baseURL = await served(() => undefined)
  const stop = new AbortController()
  const polling = createClient({ baseURL }).pollCliLogin(cli, { signal: stop.signal })
  stop.abort()
  await expect(polling).rejects.toHaveProperty('name', 'AbortError')
})
