import type { Page, Upload, User, UserToken } from '@svc/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { createUser, createUserToken, type SignedIn } from '../../support/clients/accounts.ts'
import {
  call,
  freshLogin,
  newMember,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

type Path = '/me/uploads' | '/uploads' | '/users' | '/me/token'
const paths: readonly Path[] = ['/me/uploads', '/uploads', '/users', '/me/token']

let server: ServerWithAccounts
let admin: SignedIn
beforeAll(async () => {
  server = await startServerWithAccounts()
  admin = server.admin
  for (let count = 0; count < 25; count++) {
    await call(server, 'PUT /a.txt', { as: admin, body: 'x'.repeat(count % 4) })
    await createUser(server, admin, { login: freshLogin(), provider: 'oidc' })
    await createUserToken(server, admin)
    // Some at the same moment, some not.
    if (count % 3 === 0) server.clock.advance(1_000)
  }
})
afterAll(() => server.close())

type Item = Upload | User | UserToken
const idOf = (item: Item) => item.id
const get = (path: Path, query = '', headers = {}) =>
  call(server, `GET ${path}?${query}`, { as: admin, headers })
const page = async (path: Path, query = '') => jsonIn(await get(path, query)) as Page<Item>
const ids = ({ results }: Page<Item>) => results.map(idOf)

/** All pages from a first one on. */
async function walk(path: Path, query: string, direction: 'before' | 'after', from: Page<Item>) {
  const pages = [from]
  for (let cursor = from[direction]; cursor !== null; cursor = pages.at(-1)?.[direction] ?? null) {
    pages.push(await page(path, `${query}&${direction}=${cursor}`))
  }
  return pages
}

test.each(paths)('%s gives twenty, the newest first, where nothing is said', async (path) => {
  const first = await page(path)
  expect(first.results).toHaveLength(20)
  expect(first.before).toBeNull()
  expect(first.after).toMatch(/^[\w-]+$/)
  const dates = first.results.map(({ createdAt }) => createdAt)
  expect(dates).toEqual(dates.toSorted().toReversed())
})

test.each(paths)('%s counts all on request', async (path) => {
  const { total, totalIsLowerBound } = await page(path, 'exactTotal=true')
  expect([total >= 25, totalIsLowerBound]).toEqual([true, undefined])
  expect((await get(path, 'exactTotal=perhaps')).status).toBe(400)
})

test.each(paths.flatMap((path) => (['asc', 'desc'] as const).map((order) => ({ path, order }))))(
  'all of $path comes once forwards and once backwards, $order',
  async ({ path, order }) => {
    const whole = await page(path, `limit=500&order=${order}`)
    expect([whole.before, whole.after, whole.total]).toEqual([null, null, whole.results.length])
    for (const limit of [1, 7, whole.total, whole.total + 1]) {
      const query = `limit=${String(limit)}&order=${order}`
      const forwards = await walk(path, query, 'after', await page(path, query))
      expect(forwards.flatMap(ids)).toEqual(ids(whole))
      expect(forwards.every(({ total }) => total === whole.total)).toBe(true)
      const last = forwards.at(-1) ?? whole
      const backwards = await walk(path, query, 'before', last)
      expect(backwards.toReversed().flatMap(ids)).toEqual(ids(whole))
    }
  },
)

test('ascending order is the reverse of descending order', async () => {
  for (const path of paths) {
    const [up, down] = [await page(path, 'limit=500&order=asc'), await page(path, 'limit=500&order=desc')]
    expect(ids(up)).toEqual(ids(down).toReversed())
  }
})

test('uploads are sorted by size, and cursors hold among equals', async () => {
  const sizes = (listPage: Page<Item>) =>
    listPage.results.map((upload) => ('files' in upload ? (upload.files[0]?.fileSize ?? -1) : -1))
  for (const path of ['/me/uploads', '/uploads'] as const) {
    for (const order of ['asc', 'desc'] as const) {
      const query = `sort=size&order=${order}&limit=4`
      const pages = await walk(path, query, 'after', await page(path, query))
      const all = pages.flatMap(sizes)
      expect(all).toEqual(all.toSorted((a, b) => (order === 'asc' ? a - b : b - a)))
      expect(new Set(pages.flatMap(ids)).size).toBe(pages[0]?.total)
    }
  }
})

test('`date` is another name of the usual order', async () => {
  for (const path of ['/me/uploads', '/uploads'] as const) {
    const usual = await page(path, 'limit=3')
    expect(await page(path, 'limit=3&sort=date')).toEqual(usual)
    expect(await page(path, 'limit=3&sort=createdAt')).toEqual(usual)
    const next = await page(path, `limit=3&sort=date&after=${usual.after ?? ''}`)
    expect(next).toEqual(await page(path, `limit=3&after=${usual.after ?? ''}`))
  }
})

test('the header says what the query could, and wins', async () => {
  for (const path of paths) {
    const expected = await page(path, 'limit=3&order=asc')
    const paging = JSON.stringify({ limit: 3, order: 'asc' })
    expect(jsonIn(await get(path, '', { 'x-svc-paging': paging }))).toEqual(expected)
    const none = JSON.stringify({ limit: 3, order: 'asc', after: null, before: null })
    expect(jsonIn(await get(path, '', { 'x-svc-paging': none }))).toEqual(expected)
    expect(jsonIn(await get(path, 'limit=9&order=desc', { 'x-svc-paging': paging }))).toEqual(expected)
    const after = JSON.stringify({ after: expected.after, order: 'asc' })
    expect(jsonIn(await get(path, 'limit=3', { 'x-svc-paging': after }))).toEqual(
      await page(path, `limit=3&order=asc&after=${expected.after ?? ''}`),
    )
  }
})

test('filters and sort may stand in the header, too', async () => {
  const header = { 'x-svc-paging': JSON.stringify({ sort: 'size', oneShot: false, limit: 2 }) }
  expect(jsonIn(await get('/uploads', '', header))).toEqual(
    await page('/uploads', 'sort=size&oneShot=false&limit=2'),
  )
})

test.each([
  '',
  '{',
  '[]',
  '"x"',
  'null',
  '5',
  '{"limit":0}',
  '{"limit":"many"}',
  '{"order":"up"}',
  '{"limit":[1]}',
])('the header %j is rejected', async (paging) => {
  for (const path of paths) {
    const response = await get(path, '', { 'x-svc-paging': paging })
    expect(errorIn(response)).toEqual({ status: 400, code: 'invalid_request' })
  }
})

test.each([
  'limit=0',
  'limit=-1',
  'limit=501',
  'limit=1.5',
  'limit=1e1000',
  'limit=ten',
  'limit=',
  'limit=1&limit=2',
  'order=up',
  'order=ASC',
  'order=',
  'after[]=x',
])('the query %j is rejected or ignored', async (query) => {
  for (const path of paths) {
    const response = await get(path, query)
    if (query === 'after[]=x') expect(response.status).toBe(200)
    else expect([path, errorIn(response)]).toEqual([path, { status: 400, code: 'invalid_request' }])
  }
})

test('an unknown sort order is rejected', async () => {
  for (const path of ['/me/uploads', '/uploads'] as const) {
    for (const sort of ['', 'name', 'Size', 'size,id', 'deletedAt', 'passwordHash']) {
      expect(errorIn(await get(path, `sort=${sort}`))).toEqual({ status: 400, code: 'invalid_request' })
    }
  }
})

const cursor = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url')
const refused = { status: 400, code: 'invalid_cursor' }

test('a cursor of another order is none of this one', async () => {
  const bySize = await page('/uploads', 'sort=size&limit=2')
  const byDate = await page('/uploads', 'limit=2')
  expect(errorIn(await get('/uploads', `after=${bySize.after ?? ''}`))).toEqual(refused)
  expect(errorIn(await get('/uploads', `sort=size&before=${byDate.after ?? ''}`))).toEqual(refused)
})

test('a value that no listing returned is rejected as a cursor', async () => {
  const made = [
    '',
    'x',
    '%00',
    cursor(null),
    cursor(5),
    cursor({}),
    cursor([]),
    cursor(['createdAt']),
    cursor(['createdAt', 5]),
    cursor(['createdAt', '5', 'x']),
    cursor(['createdAt', 1e300, 'x']),
    cursor(['createdAt', 0.5, 'x']),
    cursor(['createdAt', null, 'x']),
    cursor(['createdAt', 5, 5]),
    cursor(['id', 5, 'x']),
    cursor([['createdAt'], 5, 'x']),
  ]
  for (const path of paths) {
    for (const value of made) {
      for (const name of ['before', 'after']) {
        expect([value, errorIn(await get(path, `${name}=${value}`))]).toEqual([value, refused])
      }
    }
  }
})

test('for any cursor, the server returns a page or rejects it', async () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
    fc.tuple(fc.constant('createdAt'), fc.maxSafeInteger(), fc.string({ unit: 'binary' })).map(cursor),
  )
  await fc.assert(
    fc.asyncProperty(anything, fc.constantFrom(...paths), async (value, path) => {
      const response = await get(path, `after=${value}`)
      if (response.status !== 200) expect(errorIn(response)).toEqual(refused)
    }),
    { numRuns: 150 },
  )
})

test('a cursor outlives its row', async () => {
  const { session } = await newMember(server)
  const own = (query: string) => call(server, `GET /me/uploads?limit=1&${query}`, { as: session })
  const made: string[] = []
  for (let count = 0; count < 3; count++) {
    made.unshift(String((await call(server, 'PUT /a.txt', { as: session, body: '' })).headers['x-uploadid']))
    server.clock.advance(1)
  }
  const { after } = jsonIn(await own('')) as Page<Upload>
  await call(server, `DELETE /upload/${made[0] ?? ''}`, { as: session })
  expect(jsonIn(await own(`after=${after ?? ''}`))).toMatchObject({ total: 2, results: [{ id: made[1] }] })
})

test('after the only upload of the last page is gone, the page before can still be reached', async () => {
  const { session } = await newMember(server)
  const own = async (query: string) =>
    jsonIn(await call(server, `GET /me/uploads?limit=2&${query}`, { as: session })) as Page<Upload>
  for (let count = 0; count < 3; count++) {
    await call(server, 'PUT /a.txt', { as: session, body: '' })
    server.clock.advance(1)
  }
  const first = await own('')
  const second = await own(`after=${first.after ?? ''}`)
  await call(server, `DELETE /upload/${second.results[0]?.id ?? ''}`, { as: session })
  const empty = await own(`after=${first.after ?? ''}`)
  expect(empty).toEqual({ before: expect.any(String) as string, after: null, total: 2, results: [] })
  expect((await own(`before=${empty.before ?? ''}`)).results).toEqual(first.results)
})
