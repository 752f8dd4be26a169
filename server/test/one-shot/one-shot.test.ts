import { archivePath, type UploadOptions } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, errorIn, type TestResponse } from '../support/clients/send-request.ts'
import { fileStatuses } from '../support/servers/server-data.ts'
import { randomBytes, storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const store = (content: string | Uint8Array, options: UploadOptions & { readonly fileName?: string } = {}) =>
  storeUpload(server, content, { oneShot: true, ...options })

const get = (path: string, headers: Record<string, string> = {}) => sendRequest(server.url, path, { headers })

const statusOf = async ({ upload }: StoredUpload) =>
  (await server.client.upload(upload.id)).files.map((file) => file.status)

/** Parallel downloads: the bodies of those that were served, and the errors of the others. */
async function race(path: string, contenders: number) {
  const responses = await Promise.all(Array.from({ length: contenders }, () => get(path)))
  const served = responses.filter(({ status }) => status === 200)
  const rejected = new Set(responses.filter(({ status }) => status !== 200).map(({ status }) => status))
  return { served: served.map(({ body }) => body), rejected: [...rejected] }
}

/** Downloads a file that was not downloaded yet: the response has every byte, and the next download fails. */
async function expectUnused({ path }: StoredUpload, bytes: Uint8Array): Promise<void> {
  const { status, body } = await get(path)
  expect({ status, body }).toEqual({ status: 200, body: Buffer.from(bytes) })
  expect(errorIn(await get(path))).toEqual({ status: 404, code: 'file_not_found' })
}

test.each(Array.from({ length: 10 }, (_, round) => round + 1))(
  'of 200 parallel downloads exactly one gets the whole file (round %i)',
  async () => {
    const bytes = randomBytes(100_000)
    const { served, rejected } = await race((await store(bytes)).path, 200)
    expect(served).toEqual([Buffer.from(bytes)])
    expect([404, 409]).toEqual(expect.arrayContaining(rejected))
  },
)

test('of 60 parallel archive downloads exactly one gets the files', async () => {
  const stored = await store(randomBytes(50_000))
  const { uploadToken } = stored
  await server.client.addFile(stored.upload.id, new Blob(['two']), { fileName: 'two.txt', uploadToken })
  const { served, rejected } = await race(archivePath(stored.upload.id, 'all.zip'), 60)
  expect(served).toHaveLength(1)
  expect([404, 409]).toEqual(expect.arrayContaining(rejected))
  expect(await statusOf(stored)).toEqual(['removed', 'removed'])
})

const bots = [
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'TelegramBot (like TwitterBot)',
  'WhatsApp/2.23.20.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Facebot/1.0',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'Viber/13.0.0',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Twitterbot/1.0',
  'Mozilla/5.0 (compatible; Wire LinkPreview)',
  'Mattermost-Bot/1.1',
  'RocketChat/6.0 (Rocket.Chat link preview)',
  'Mozilla/5.0 (compatible) ZulipURLPreview/7.0',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit Teams/1.5 MicrosoftPreview/2.0',
  'Mozilla/5.0 (compatible; MicrosoftPreview/2.0)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
]

describe('a request without a download never consumes a one-shot file', () => {
  const requests: [string, (path: string) => Promise<TestResponse>, number][] = [
    ['HEAD', (path) => sendRequest(server.url, path, { method: 'HEAD' }), 200],
    ['OPTIONS', (path) => sendRequest(server.url, path, { method: 'OPTIONS' }), 204],
    ['a prefetch', (path) => get(path, { 'sec-purpose': 'prefetch' }), 406],
    ['a prerender', (path) => get(path, { 'sec-purpose': 'prefetch;prerender' }), 406],
    ['a prefetch of older browsers', (path) => get(path, { purpose: 'prefetch' }), 406],
    ['a preview of older browsers', (path) => get(path, { 'x-purpose': 'preview' }), 406],
    ['a service worker', (path) => get(path, { 'service-worker': 'script' }), 403],
    ...bots.map((agent): [string, (path: string) => Promise<TestResponse>, number] => [
      agent,
      (path) => get(path, { 'user-agent': agent }),
      406,
    ]),
  ]
  test.each(requests)('%s', async (_name, send, status) => {
    const stored = await store('precious')
    const response = await send(stored.path)
    expect(response.status).toBe(status)
    expect(response.text).not.toContain('precious')
    await expectUnused(stored, Buffer.from('precious'))
  })
})

describe('download programs and browsers are not bots', () => {
  test.each([
    'curl/8.9.1',
    'Wget/1.21.4',
    'aria2/1.37.0',
    'python-requests/2.32.0',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  ])('%s', async (agent) => {
    const { path } = await store('for you')
    const { status, text } = await get(path, { 'user-agent': agent })
    expect({ status, text }).toEqual({ status: 200, text: 'for you' })
  })
})

test.each([
  ['a range', { range: 'bytes=0-3' }],
  ['an unsatisfiable range', { range: 'bytes=99-' }],
  ['a matching validator', { 'if-none-match': '*' }],
  ['a matching date', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
])('%s on a one-shot file is an ordinary download: complete, and the last', async (_name, headers) => {
  const { path } = await store('0123456789')
  const response = await get(path, headers)
  const { status, text } = response
  expect({ status, text, ranges: response.headers['accept-ranges'] }).toEqual({
    status: 200,
    text: '0123456789',
    ranges: 'none',
  })
  expect(errorIn(await get(path))).toEqual({ status: 404, code: 'file_not_found' })
})

test.each(['none', 'cross-site'])(
  'a browser that follows a link (Sec-Fetch-Site: %s) gets the page, and downloads the bytes from there',
  async (site) => {
    const stored = await store('from the page')
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': site, 'sec-fetch-dest': 'document' }
    const { status, headers, text } = await get(stored.path, navigation)
    expect({ status, location: headers.location, cached: headers['cache-control'], text }).toEqual({
      status: 302,
      location: `/#/?id=${stored.upload.id}`,
      cached: 'no-store',
      text: '',
    })
    const page = await get(`${stored.path}?dl=1`, navigation)
    expect({ status: page.status, text: page.text }).toEqual({ status: 200, text: 'from the page' })
    expect(errorIn(await get(stored.path))).toEqual({ status: 404, code: 'file_not_found' })
  },
)

test('a downloaded file is listed as removed, and its bytes are deleted in the next cleanup', async () => {
  const fresh = await startTestServer()
  try {
    const { upload, path } = await storeUpload(fresh, 'once', { oneShot: true })
    expect((await sendRequest(fresh.url, path)).text).toBe('once')
    expect((await fresh.client.upload(upload.id)).files[0]?.status).toBe('removed')
    await fresh.clean()
    expect(fileStatuses(fresh)).toEqual(['deleted'])
  } finally {
    await fresh.close()
  }
})

test('an empty one-shot file can be downloaded once', async () => {
  const { path } = await store('')
  expect((await race(path, 50)).served).toEqual([Buffer.alloc(0)])
})
