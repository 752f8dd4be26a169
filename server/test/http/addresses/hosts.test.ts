import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../../support/clients/send-request.ts'
import { rawConnection } from '../../support/clients/raw-connection.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
let proxied: TestServer
beforeAll(async () => {
  server = await startTestServer()
  proxied = await startTestServer({ config: { trustedProxies: ['127.0.0.1'] } })
})
afterAll(() => Promise.all([server.close(), proxied.close()]))

/**
 * The response to a request with a given head.
 * @param lines lines of the head, without the request line
 */
async function responseTo(lines: readonly string[], target = '/config', version = '1.1') {
  const connection = await rawConnection(server.url)
  await connection.send(
    Buffer.from(
      [`GET ${target} HTTP/${version}`, ...lines, 'Connection: close', '\r\n'].join('\r\n'),
      'latin1',
    ),
  )
  const { status, body } = await connection.response()
  return {
    status,
    reason: JSON.parse(body.toString()) as { readonly code?: string; readonly message?: string },
  }
}

describe('a request with an invalid host is rejected', () => {
  test.each<[string, readonly string[], string]>([
    ['none', [], 'send the header Host'],
    ['two', ['Host: a.test', 'Host: b.test'], 'send the header Host once'],
    ['the same twice', ['Host: a.test', 'hOST: a.test'], 'send the header Host once'],
    ['an empty one', ['Host:'], 'the header Host is malformed'],
    ['a user in it', ['Host: user@a.test'], 'the header Host is malformed'],
    ['a path in it', ['Host: a.test/path'], 'the header Host is malformed'],
    ['a query in it', ['Host: a.test?x'], 'the header Host is malformed'],
    ['markup', ['Host: "><script>'], 'the header Host is malformed'],
    ['a space in it', ['Host: a .test'], 'the header Host is malformed'],
    ['two in one line', ['Host: a.test, b.test'], 'the header Host is malformed'],
    ['bytes beyond ASCII', ['Host: \u00e4.test'], 'the header Host is malformed'],
    ['an escape', ['Host: a%2ftest'], 'the header Host is malformed'],
    ['a port that is not a number', ['Host: a.test:http'], 'the header Host is malformed'],
    ['a port beyond the range', ['Host: a.test:65536'], 'the header Host is malformed'],
    ['an open bracket', ['Host: [::1'], 'the header Host is malformed'],
    ['an invalid IPv6 address in brackets', ['Host: [1:2]'], 'the header Host is malformed'],
    ['an impossible IPv4 address', ['Host: 256.1.1.1'], 'the header Host is malformed'],
    ['a name that is too long', [`Host: ${'a'.repeat(300)}`], 'the header Host is malformed'],
  ])('%s', async (_case, lines, message) => {
    for (const target of ['/config', '/health', '/nowhere'])
      expect(await responseTo(lines, target)).toEqual({
        status: 400,
        reason: { code: 'invalid_request', message },
      })
  })

  test.each([
    'http://user@a.test/config',
    'http://a b/config',
    'http://a.test:99999/config',
    'http://[/config',
  ])('in a URL of absolute form, too: %s', async (target) => {
    expect((await responseTo(['Host: a.test'], target)).status).toBe(400)
  })

  test('through a proxy, too', async () => {
    for (const host of ['a.test/evil', 'user@a.test', '"']) {
      const headers = { host: 'inner.test', 'x-forwarded-host': host }
      const response = await sendRequest(proxied.url, '/config', { headers })
      expect(errorIn(response)).toEqual({ status: 400, code: 'invalid_request' })
      // The header of another client is not read.
      expect((await sendRequest(server.url, '/config', { headers })).status).toBe(200)
    }
  })
})

test.each([
  'a',
  'a.test',
  'A-1.test:8080',
  'svc_1:80',
  '127.0.0.1',
  '[::1]',
  '[2001:db8::1]:8443',
  'a.test.',
  'a:',
])('the host %s is accepted', async (host) => {
  expect((await responseTo([`Host: ${host}`])).status).toBe(200)
})

test('HTTP/1.0 may omit the host', async () => {
  expect((await responseTo([], '/config', '1.0')).status).toBe(200)
})

test('no invalid host appears in a link', async () => {
  const label = fc.constantFrom(
    'a',
    'test',
    '.',
    '-',
    ':',
    '80',
    '@',
    '/',
    '\\',
    '?',
    '#',
    '[',
    ']',
    '::1',
    '%41',
    '<',
    '"',
    ',',
    '1',
  )
  const written = fc.oneof(
    fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('')),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }).map((text) => text.trim()),
  )
  await fc.assert(
    fc.asyncProperty(written, fc.boolean(), async (host, isForwarded) => {
      const headers = isForwarded ? { host: 'inner.test', 'x-forwarded-host': host } : { host }
      const { status, text } = await sendRequest(proxied.url, '/f', { method: 'PUT', headers, body: 'x' })
      if (status !== 200) {
        expect(status).toBe(400)
        return
      }
      expect(text).toMatch(/^http:\/\/(?:[\w.-]+|\[[0-9a-f:]+\])(?::\d*)?\/file\/\w{16}\/\w{16}\/f\n$/i)
      const link = new URL(text)
      expect([link.username, link.password]).toEqual(['', ''])
    }),
    { numRuns: 400 },
  )
})
