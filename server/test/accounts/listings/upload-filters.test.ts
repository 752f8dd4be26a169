import type { Page, Upload } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userTokenKeys } from '../../../src/domain/user-token-keys.ts'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { createUserToken, type SignedIn } from '../../support/clients/accounts.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type CallOptions,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let [one, other]: [Member?, Member?] = []
let token: string
const made = new Map<string, string>()
beforeAll(async () => {
  server = await startServerWithAccounts({
    features: { feature_extend_ttl: 'enabled', feature_stream: 'enabled' },
  })
  one = await newMember(server)
  other = await newMember(server)
  token = await createUserToken(server, one.session)
  const create = async (name: string, options: object, callOptions: CallOptions) => {
    const response = await call(server, 'POST /upload', { ...callOptions, body: options })
    expect([name, response.status]).toEqual([name, 200])
    made.set((jsonIn(response) as Upload).id, name)
  }
  await create('plain', {}, { as: one.session })
  await create('one-shot', { oneShot: true }, { as: one.session })
  await create('removable', { removable: true, extend_ttl: true }, { as: one.session })
  await create('stream', { stream: true }, { as: one.session })
  await create('protected', { password: 'password', oneShot: true }, { as: one.session })
  await create('encrypted', { e2ee: 'age' }, { headers: { 'x-svctoken': token } })
  await create('short', { ttl: 1 }, { as: one.session })
  await create("other's", { removable: true }, { as: other.session })
  await create("guest's", { oneShot: true }, {})
})
afterAll(() => server.close())

const list = (path: '/uploads' | '/me/uploads', query: string, as: SignedIn) =>
  call(server, `GET ${path}?limit=500&${query}`, { as })
const names = async (path: '/uploads' | '/me/uploads', query: string, as = one?.session ?? server.admin) => {
  const { results, total } = jsonIn(await list(path, query, as)) as Page<Upload>
  expect(total).toBe(results.length)
  return results.map(({ id }) => made.get(id)).sort()
}
const mine = ['encrypted', 'one-shot', 'plain', 'protected', 'removable', 'short', 'stream']

test.each<[string, readonly string[]]>([
  ['', mine],
  ['oneShot=true', ['one-shot', 'protected']],
  ['oneShot=false', mine.filter((name) => name !== 'one-shot' && name !== 'protected')],
  ['removable=true', ['removable']],
  ['stream=true', ['stream']],
  ['extendTTL=true', ['removable']],
  ['password=true', ['protected']],
  ['password=false', mine.filter((name) => name !== 'protected')],
  ['e2ee=true', ['encrypted']],
  ['e2ee=false', mine.filter((name) => name !== 'encrypted')],
  ['oneShot=true&password=true', ['protected']],
  ['oneShot=true&password=false', ['one-shot']],
  ['oneShot=true&e2ee=true', []],
  ['removable=false&stream=false&oneShot=false&e2ee=false', ['plain', 'short']],
])('own uploads with %j', async (query, expected) => {
  expect(await names('/me/uploads', query)).toEqual(expected)
})

test('own uploads are filtered by the token that created them', async () => {
  expect(await names('/me/uploads', `token=${token}`)).toEqual(['encrypted'])
  expect(await names('/me/uploads', `token=${userTokenKeys(token).id}`)).toEqual(['encrypted'])
  expect(await names('/me/uploads', 'token=x')).toEqual([])
  expect(await names('/me/uploads', `token=${token}`, other?.session)).toEqual([])
})

test('no user lists the uploads of another user as own ones', async () => {
  const user = encodeURIComponent(one?.id ?? '')
  expect(await names('/me/uploads', `user=${user}`)).toEqual(mine)
  for (const as of [other?.session, server.admin]) {
    const response = await list('/me/uploads', `user=${user}`, as ?? server.admin)
    expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
  }
})

test('an admin lists all uploads, those of a user, and those of a token', async () => {
  expect(await names('/uploads', '', server.admin)).toEqual([...mine, "guest's", "other's"].sort())
  const [first, second] = [encodeURIComponent(one?.id ?? ''), encodeURIComponent(other?.id ?? '')]
  expect(await names('/uploads', `user=${first}`, server.admin)).toEqual(mine)
  expect(await names('/uploads', `user=${second}`, server.admin)).toEqual(["other's"])
  expect(await names('/uploads', `user=${second}&removable=false`, server.admin)).toEqual([])
  expect(await names('/uploads', 'user=local:nobody', server.admin)).toEqual([])
  expect(await names('/uploads', 'user=%25', server.admin)).toEqual([])
  for (const named of [token, userTokenKeys(token).id])
    expect(await names('/uploads', `token=${named}`, server.admin)).toEqual(['encrypted'])
  expect(await names('/uploads', 'oneShot=true', server.admin)).toEqual(["guest's", 'one-shot', 'protected'])
})

test('owners are shown to admins and owners, tokens of uploads to no one', async () => {
  const { results } = jsonIn(await list('/uploads', '', server.admin)) as Page<Upload>
  for (const upload of results) {
    const owner = { "guest's": undefined, "other's": other?.id }[made.get(upload.id) ?? '']
    expect(upload.user).toBe(made.get(upload.id)?.endsWith("'s") === true ? owner : one?.id)
    expect(upload).toMatchObject({ admin: false })
    expect(upload).not.toHaveProperty('uploadToken')
    expect(upload).not.toHaveProperty('login')
  }
  const own = jsonIn(await list('/me/uploads', '', one?.session ?? server.admin)) as Page<Upload>
  expect(own.results.every(({ admin, user }) => admin && user === one?.id)).toBe(true)
})

test.each([
  'oneShot=yes',
  'oneShot=1',
  'oneShot=',
  'stream=TRUE',
  'password=secret',
  'e2ee=age',
  'extendTTL=2',
])('the filter %j is rejected', async (query) => {
  for (const path of ['/uploads', '/me/uploads'] as const) {
    const response = await list(path, query, server.admin)
    expect(errorIn(response)).toEqual({ status: 400, code: 'invalid_request' })
  }
})

test('an expired or removed upload is not listed, before and after a cleanup', async () => {
  server.clock.advance(1_000)
  expect(await names('/me/uploads', '')).toEqual(mine.filter((name) => name !== 'short'))
  const [id] = Array.from(made).find(([, name]) => name === 'plain') ?? []
  await call(server, `DELETE /upload/${id ?? ''}`, { as: one?.session ?? server.admin })
  expect(await names('/me/uploads', 'oneShot=false')).toEqual(['encrypted', 'removable', 'stream'])
  await server.clean()
  expect(await names('/me/uploads', 'oneShot=false')).toEqual(['encrypted', 'removable', 'stream'])
})
