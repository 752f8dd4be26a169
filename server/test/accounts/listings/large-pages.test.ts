import type { Page, Upload } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest, jsonIn } from '../../support/clients/send-request.ts'
import type { SignedIn } from '../../support/clients/accounts.ts'
import {
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let admin: SignedIn
/** Their numbers of files, the newest upload last. */
const sizes = [900, 1, 900, 900, 2_400, 300]

beforeAll(async () => {
  server = await startServerWithAccounts({ config: { maxFilePerUpload: 3_000 } })
  admin = server.admin
  for (const size of sizes) {
    const files = Array.from({ length: size }, (_none, at) => ({ fileName: `file-${String(at)}` }))
    const headers = { ...admin.headers, 'content-type': 'application/json' }
    await sendRequest(server.url, '/upload', { method: 'POST', headers, body: JSON.stringify({ files }) })
    server.clock.advance(1_000)
  }
})
afterAll(() => server.close())

const get = (query: string, path = '/me/uploads') =>
  sendRequest(server.url, `${path}?limit=500${query}`, { headers: admin.headers })
const page = async (query: string, path?: string) => jsonIn(await get(query, path)) as Page<Upload>
const counts = ({ results }: Page<Upload>) => results.map(({ files }) => files.length)

test.each(['/me/uploads', '/uploads'])(
  'a page of %s ends early where it would have too many files',
  async (path) => {
    const seen: number[][] = []
    let next = ''
    do {
      const found = await page(next, path)
      expect(found.total).toBe(sizes.length)
      seen.push(counts(found))
      next = found.after === null ? '' : `&after=${found.after}`
    } while (next !== '')
    expect(seen).toEqual([[300], [2_400], [900, 900, 1], [900]])
  },
)

test('backwards, a listing continues from its entry and visits the same uploads', async () => {
  const all: number[] = []
  const first = await page('&order=asc')
  expect(counts(first)).toEqual([900, 1, 900])
  let last = first
  while (last.after !== null) last = await page(`&order=asc&after=${last.after}`)
  expect(counts(last)).toEqual([300])
  all.unshift(...counts(last))
  for (let before = last.before; before !== null;) {
    const found = await page(`&order=asc&before=${before}`)
    expect(counts(found).reduce((sum, files) => sum + files, 0)).toBeLessThanOrEqual(2_400)
    all.unshift(...counts(found))
    before = found.before
  }
  expect(all).toEqual(sizes)
})

test('sorted by size, the cursor of a page that ended early continues as well', async () => {
  const found = await page('&sort=size')
  const next = await page(`&sort=size&after=${found.after ?? ''}`)
  expect(next.results.map(({ id }) => id)).not.toEqual(
    expect.arrayContaining(found.results.map(({ id }) => id)),
  )
})

test('a large page is written in several chunks, a small one in one, and both have the same fields', async () => {
  const large = await get('&order=asc')
  expect([large.headers['transfer-encoding'], large.headers['content-length']]).toEqual([
    'chunked',
    undefined,
  ])
  expect(large.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  const small = await sendRequest(server.url, '/me/uploads?limit=1&oneShot=true', { headers: admin.headers })
  expect(Number(small.headers['content-length'])).toBe(small.body.length)
  const created = jsonIn(
    await sendRequest(server.url, '/upload', { method: 'POST', headers: admin.headers }),
  ) as Upload
  const fields = (upload: Upload | undefined) => Object.keys(upload ?? {}).sort()
  const [first] = (jsonIn(large) as Page<Upload>).results
  const { results } = jsonIn(
    await sendRequest(server.url, '/me/uploads?limit=1', { headers: admin.headers }),
  ) as Page<Upload>
  expect(results[0]?.id).toBe(created.id)
  expect(fields(first)).toEqual(fields(results[0]))
})
