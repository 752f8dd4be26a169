import { afterEach, describe, expect, test } from 'vitest'
import type { Config } from '../../../src/config/config.ts'
import { sendRequest, errorIn, type TestResponse } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
afterEach(() => server.close())

const start = async (config: Partial<Config>) => {
  server = await startTestServer({ config })
}

const trusted = { trustedProxies: ['127.0.0.1/32', '10.0.0.0/8', '2001:db8::/32'] }

describe('the source of a request', () => {
  const addressFor = async (headers: Record<string, string>) => {
    await sendRequest(server.url, '/upload', { method: 'POST', headers })
    return lookUp(server, 'select address from uploads order by rowid desc limit 1')[0]
  }

  test.each<[string, Partial<Config>, string, string]>([
    ['without trusted proxies', {}, '203.0.113.1', '127.0.0.1'],
    ['another proxy is trusted', { trustedProxies: ['10.0.0.0/8'] }, '203.0.113.1', '127.0.0.1'],
    ['one hop', trusted, '203.0.113.1', '203.0.113.1'],
    ['a hop that the client invented', trusted, '1.1.1.1, 203.0.113.1', '203.0.113.1'],
    ['two proxies', trusted, '203.0.113.1, 10.1.2.3', '203.0.113.1'],
    ['two proxies and an invented hop', trusted, '1.1.1.1, 203.0.113.1, 10.1.2.3', '203.0.113.1'],
    ['only proxies', trusted, '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['IPv6', trusted, '2001:db9::1', '2001:db9::1'],
    ['IPv6 over a proxy of IPv6', trusted, '2001:db9::1, 2001:db8::5', '2001:db9::1'],
    ['IPv4 in IPv6', trusted, '::ffff:203.0.113.1', '203.0.113.1'],
    ['garbage', trusted, 'unknown', '127.0.0.1'],
    ['garbage before an address', trusted, 'garbage, 203.0.113.1', '203.0.113.1'],
    ['garbage behind an address', trusted, '203.0.113.1, garbage', '127.0.0.1'],
    ['an address with a port', trusted, '203.0.113.1:80', '203.0.113.1'],
    ['nothing', trusted, '', '127.0.0.1'],
    ['commas', trusted, ',,,', '127.0.0.1'],
  ])('%s', async (_name, config, forwarded, expected) => {
    await start(config)
    expect(await addressFor({ 'x-forwarded-for': forwarded })).toBe(expected)
  })
})

describe('links use', () => {
  const linkFor = async (headers: Record<string, string>) =>
    new URL((await sendRequest(server.url, '/f', { method: 'PUT', headers, body: 'x' })).text.trim()).origin

  test('the host that the client used', async () => {
    await start({})
    expect(await linkFor({ host: 'files.test:8080' })).toBe('http://files.test:8080')
  })

  test('HTTPS where the server is configured to assume it', async () => {
    await start({ assumeHTTPS: true })
    expect(await linkFor({ host: 'files.test' })).toBe('https://files.test')
  })

  const forwarded = { host: 'inner:1', 'x-forwarded-host': 'outer.test', 'x-forwarded-proto': 'https' }

  test('the forwarded host of a trusted proxy', async () => {
    await start(trusted)
    expect(await linkFor(forwarded)).toBe('https://outer.test')
    expect(await linkFor({ ...forwarded, 'x-forwarded-proto': 'http' })).toBe('http://outer.test')
    expect(await linkFor({ ...forwarded, 'x-forwarded-proto': 'HTTPS' })).toBe('https://outer.test')
    expect(await linkFor({ ...forwarded, 'x-forwarded-host': '' })).toBe('https://inner:1')
    expect(await linkFor({ ...forwarded, 'x-forwarded-host': ',' })).toBe('https://inner:1')
  })

  test('no forwarded host of any other client', async () => {
    await start({})
    expect(await linkFor(forwarded)).toBe('http://inner:1')
  })

  test('the configured domain, for any forwarded host', async () => {
    await start({ ...trusted, svcDomain: 'https://svc.test' })
    expect(await linkFor(forwarded)).toBe('https://svc.test')
  })
})

describe('UploadWhitelist', () => {
  const config = { ...trusted, uploadWhitelist: ['192.0.2.0/24', '2001:db9::/32'] }
  const rejected = { status: 403, code: 'address_refused' }

  /** Every route for uploads and files, requested from an address. */
  async function ways(address: string): Promise<TestResponse[]> {
    const from = { 'x-forwarded-for': address }
    const inside = { 'x-forwarded-for': '192.0.2.1', 'content-type': 'application/json' }
    const created = await sendRequest(server.url, '/upload', {
      method: 'POST',
      headers: inside,
      body: '{"files":[{"fileName":"d"}]}',
    })
    const { id, uploadToken, files } = JSON.parse(created.text) as {
      readonly id: string
      readonly uploadToken: string
      readonly files: readonly [{ readonly id: string }]
    }
    const form = { method: 'POST', headers: { ...from, 'content-type': formType }, body: fileForm('x') }
    const add = { ...form, headers: { ...form.headers, 'x-uploadtoken': uploadToken } }
    return [
      await sendRequest(server.url, '/upload', { method: 'POST', headers: from }),
      await sendRequest(server.url, '/', form),
      await sendRequest(server.url, '/name', { method: 'PUT', headers: from, body: 'x' }),
      await sendRequest(server.url, `/file/${id}`, add),
      await sendRequest(server.url, `/file/${id}/${files[0].id}/d`, add),
    ]
  }

  test.each(['192.0.2.1', '192.0.2.255', '2001:db9::77'])(
    'allows %s to upload, on every route',
    async (address) => {
      await start(config)
      expect((await ways(address)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    },
  )

  test.each(['192.0.3.1', '203.0.113.1', '2001:dba::1', 'garbage', '192.0.2.1, 203.0.113.1'])(
    'rejects %s, on every route',
    async (address) => {
      await start(config)
      const [create, ...others] = await ways(address)
      expect(create === undefined ? undefined : errorIn(create)).toEqual(rejected)
      expect(others.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    },
  )

  test('allows every address to download', async () => {
    await start(config)
    const quick = { method: 'PUT', headers: { 'x-forwarded-for': '192.0.2.1' }, body: 'content' }
    const link = (await sendRequest(server.url, '/f', quick)).text.trim()
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    expect((await sendRequest(server.url, new URL(link).pathname, { headers })).text).toBe('content')
  })
})
