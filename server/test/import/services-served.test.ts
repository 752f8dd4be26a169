import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { svcd } from '../commands/command-line.ts'
import { signIn } from '../support/clients/accounts.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import { services } from './services.ts'

let server: Svcd
let links: ReadonlyMap<string, string>
beforeAll(async () => {
  const directory = await emptyDirectory()
  const found: string[] = []
  for (const { name, fill } of services) {
    await svcd(directory, ['import', '--from', name, await fill(), '--links', 'links.tsv'])
    found.push(...readFileSync(join(directory, 'links.tsv'), 'utf8').trimEnd().split('\n'))
  }
  links = new Map(found.map((line) => line.split('\t') as [string, string]))
  server = await startSvcd(directory, { FEATURE_AUTHENTICATION: 'enabled' })
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
})

const fetched = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init)

const newPath = (old: string): string => {
  const path = links.get(old)
  if (path === undefined) throw new Error(`the table has no ${old}`)
  return path
}

/** The upload of the page that replaces an old page. */
async function uploadOf(old: string, init: RequestInit = {}) {
  const [, id = ''] = /^\/#\/\?id=(\w{16})$/.exec(newPath(old)) ?? []
  const response = await fetched(`/upload/${id}`, init)
  const body: unknown = await response.json()
  return { status: response.status, id, body }
}

const basic = (password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`svc:${password}`).toString('base64')}` },
})

test.each([
  ['/downloadFile?id=plain', 'plain text'],
  ['/dh/same/%C3%A4%20b.png', 'plain text'],
  ['/hotlink/hot.png', 'plain text'],
  ['/aB3dE6/plain.txt', 'plain text'],
  ['/get/aB3dE7/two%20%C3%A4.txt', 'two'],
  ['/inline/before/v1.1.txt', 'older'],
  ['/notes1/notes.metadata', 'a file with such a name'],
  ['/naked1/naked.txt', 'no metadata'],
  ['/sealed/sealed.txt', '-----BEGIN PGP MESSAGE-----'],
])('the address that replaces %s has the file', async (old, content) => {
  const response = await fetched(newPath(old))
  expect(await response.text()).toBe(content)
  expect(response.status).toBe(200)
})

test.each([
  '/d?id=expired',
  '/d?id=encrypted',
  '/d?id=e2e',
  '/expire/expired.txt',
  '/share/restricted',
  '/s/open',
])('%s has no new address', (old) => {
  expect(links.has(old)).toBe(false)
})

test.each([
  ['/d?id=forever', { ttl: -1 }],
  ['/d?id=once', { oneShot: true }],
  ['/d?id=thrice', { maxDownloads: 3 }],
  ['/share/iso', { files: [{ fileName: 'i.txt', type: 'text/plain' }] }],
  ['/s/plain', { comments: 'two files', files: [{ fileName: 'a.txt' }, { fileName: 'b.txt' }] }],
  ['/share/never', { comments: 'Named', ttl: -1 }],
  ['/share/my-own_link', { files: [{ fileName: 'x.txt' }] }],
  ['/share/views', { maxDownloads: 2 }],
])('the page that replaces %s has its limits', async (old, expected) => {
  expect((await uploadOf(old)).body).toMatchObject(expected)
})

describe.each([
  ['Gokapi', '/d?id=protected'],
  ['Pingvin Share', '/share/protected'],
])('what is protected in %s', (_, old) => {
  test('opens with its password only', async () => {
    expect((await uploadOf(old)).status).toBe(401)
    expect((await uploadOf(old, basic('another'))).status).toBe(401)
    expect((await uploadOf(old, basic('open sesame'))).status).toBe(200)
  })
})

test('a file of transfer.sh with one download left is downloaded once', async () => {
  const path = newPath('/once11/once.txt')
  expect(await (await fetched(path)).text()).toBe('once')
  await until('the download is counted', async () => (await fetched(path)).status === 404)
})

test('the deletion token of transfer.sh is the upload token', async () => {
  const [, , id = ''] = newPath('/thrice/thrice.txt').split('/')
  const remove = (token: string) =>
    fetched(`/upload/${id}`, { method: 'DELETE', headers: { 'x-uploadtoken': token } })
  expect((await remove('another')).status).toBe(403)
  expect((await remove('deletetoken1')).status).toBe(200)
})

test('a user of Pingvin Share signs in with the old password, and owns the shares', async () => {
  const session = await signIn(server, { login: 'ann', password: 'open sesame' })
  const response = await fetched('/me/uploads', { headers: session.headers })
  const { results } = (await response.json()) as { readonly results: readonly unknown[] }
  expect(results).toHaveLength(5)
})
