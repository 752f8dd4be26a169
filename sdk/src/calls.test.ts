import { buffer } from 'node:stream/consumers'
import { endpoints, type EndpointName } from '@svc/contract'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { createServers } from '../test/served.ts'
import { createClient, type Client } from './client.ts'

const { served, close } = createServers()
afterEach(close)

interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly body: unknown
}

/** A server that answers everything with the same JSON, and what it was asked. */
async function listening(answer = '{"answer":1}'): Promise<{ client: Client; asked: Asked[] }> {
  const asked: Asked[] = []
  const baseURL = await served((request, response) => {
    void buffer(request).then((body) => {
      const text = body.toString()
      asked.push({
        method: request.method,
        url: request.url,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      })
      response.end(answer)
    })
  })
  return { client: createClient({ baseURL }), asked }
}

const id = 'idp1:zoë/a%b@x.example'
const encoded = 'idp1%3Azo%C3%AB%2Fa%25b%40x.example'

interface Call {
  readonly ask: (client: Client) => Promise<unknown>
  /** What stands in the path's places. */
  readonly at?: string
  readonly query?: string
  readonly body?: unknown
}

const login = { login: 'ada', password: 'secret word' }
const cli = { code: 'ABCD-EFGH', secret: 's' }
const page = { limit: 5, order: 'asc', after: 'a b' } as const

const calls: Partial<Record<EndpointName, Call>> = {
  localLogin: { ask: (client) => client.localLogin(login), body: login },
  logout: { ask: (client) => client.logout() },
  providerLogin: { ask: (client) => client.providerLogin('idp2'), at: 'idp2' },
  startCliLogin: { ask: (client) => client.startCliLogin({ hostname: 'pc' }), body: { hostname: 'pc' } },
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

/** Only the provider itself calls it, through the browser. */
const notForClients = ['providerCallback']

test('every endpoint of accounts and users can be asked', () => {
  const tags = ['Authentication', 'Current user', 'Administration']
  const named = Object.entries(endpoints).filter(([, { tag }]) => tags.includes(tag))
  expect([...Object.keys(calls), ...notForClients].toSorted()).toEqual(named.map(([name]) => name).toSorted())
})

test.for(Object.entries(calls))('%s is asked as the contract says', async ([name, call]) => {
  const { client, asked } = await listening()
  await call.ask(client)
  const { method, path } = endpoints[name as EndpointName]
  expect(asked).toEqual([
    { method, url: path.replace(/\{\w+\}/, call.at ?? '') + (call.query ?? ''), body: call.body },
  ])
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
