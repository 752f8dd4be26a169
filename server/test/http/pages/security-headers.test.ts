import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../src/http/routes.ts'
import { accountsConfig, root, signIn } from '../../support/clients/accounts.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { rawConnection } from '../../support/clients/raw-connection.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

let webappDirectory: string
let server: TestServer
beforeAll(async () => {
  webappDirectory = await temporaryDirectory()
  await writeFile(join(webappDirectory, 'index.html'), '<!doctype html>')
  await writeFile(join(webappDirectory, 'settings.json'), '{}')
  await mkdir(join(webappDirectory, 'assets'))
  await writeFile(join(webappDirectory, 'assets', 'a-Ab12Cd34.js'), '')
  server = await startTestServer({
    features: { feature_authentication: 'enabled' },
    config: { webappDirectory, accounts: accountsConfig, trustedProxies: ['127.0.0.1'] },
  })
})
afterAll(async () => {
  await server.close()
})

test.each(['99999999-', '-0', '5-2'])(
  'an invalid range %s of a file of the page is an error of the client',
  async (range) => {
    for (const path of ['/', '/settings.json', '/assets/a-Ab12Cd34.js']) {
      const { status } = await sendRequest(server.url, path, { headers: { range: `bytes=${range}` } })
      expect([200, 416]).toContain(status)
    }
  },
)

test('an unknown expectation is ignored', async () => {
  const { status, headers } = await sendRequest(server.url, '/config', { headers: { expect: 'something' } })
  expect([status, headers['x-content-type-options']]).toEqual([200, 'nosniff'])
})

describe('no response is interpreted as another type', () => {
  test('of any route, success or error', async () => {
    const { upload, file } = await storeUpload(server)
    const { headers } = await signIn(server, root)
    for (const { endpoint } of routes) {
      const path = endpoint.path
        .replace('{uploadID}', upload.id)
        .replace('{fileID}', file.id)
        .replace('{filename}', endpoint.path.startsWith('/archive') ? 'a.zip' : file.fileName)
      // Changes without the header of the page are rejected.
      const { cookie = '' } = headers as { readonly cookie?: string }
      const response = await sendRequest(server.url, path, { method: endpoint.method, headers: { cookie } })
      expect([endpoint.path, response.headers['x-content-type-options']]).toEqual([endpoint.path, 'nosniff'])
    }
  })

  test.each<[string, string, string]>([
    ['the page', 'GET', '/'],
    ['a setting', 'GET', '/settings.json'],
    ['an asset', 'GET', '/assets/a-Ab12Cd34.js'],
    ['the reference', 'GET', '/docs/'],
    ['the redirect to it', 'GET', '/docs'],
    ['a style sheet of it', 'GET', '/docs/swagger-ui.css'],
    ['the description', 'GET', '/openapi.json'],
    ['nothing', 'GET', '/nowhere'],
    ['an unknown method', 'DELETE', '/config'],
    ['an address that cannot be decoded', 'GET', '/upload/%zz'],
  ])('%s', async (_case, method, path) => {
    const { headers } = await sendRequest(server.url, path, { method })
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  test('a quick upload, and a request that is not HTTP', async () => {
    const form = { method: 'POST', headers: { 'content-type': formType }, body: fileForm('x') }
    expect((await sendRequest(server.url, '/', form)).headers['x-content-type-options']).toBe('nosniff')
    const connection = await rawConnection(server.url)
    await connection.send('hello\r\n\r\n')
    expect((await connection.head()).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    connection.cut()
  })
})

test('private responses are not cached', async () => {
  const { upload } = await storeUpload(server)
  const { headers } = await signIn(server, root)
  const paths = [
    '/me',
    '/me/token',
    '/me/uploads',
    '/me/stats',
    '/me/sessions',
    '/users',
    '/uploads',
    '/stats',
  ]
  for (const path of [...paths, `/upload/${upload.id}`, '/version', '/config', '/auth/logout']) {
    const response = await sendRequest(server.url, path, { headers })
    expect([path, response.status, response.headers['cache-control']]).toEqual([path, 200, 'no-store'])
  }
  const created = await sendRequest(server.url, '/upload', { method: 'POST' })
  expect(created.headers['cache-control']).toBe('no-store')
})

test.each(['/', '/docs/'])(
  'no window of another site can access that of %s, and no script of it the camera',
  async (path) => {
    const { headers } = await sendRequest(server.url, path)
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(String(headers['permissions-policy']).split(', ')).toEqual(
      expect.arrayContaining(['camera=()', 'microphone=()', 'geolocation=()', 'usb=()']),
    )
  },
)

describe('over HTTPS', () => {
  const hsts = async (at: TestServer, path: string, headers: Record<string, string> = {}) =>
    (await sendRequest(at.url, path, { headers })).headers['strict-transport-security']
  const paths = ['/config', '/', '/nowhere', '/file/a/b/c', '/upload/%zz']

  test('every response asks browsers to use HTTPS only', async () => {
    const secure = await startTestServer({
      config: { assumeHTTPS: true, trustedProxies: ['127.0.0.1'], webappDirectory },
    })
    for (const path of paths) expect([path, await hsts(secure, path)]).toEqual([path, 'max-age=31536000'])
    expect(await hsts(secure, '/config', { 'x-forwarded-proto': 'http' })).toBeUndefined()
    await secure.close()
  })

  test('behind a trusted proxy, too, and not otherwise', async () => {
    for (const path of paths) {
      expect(await hsts(server, path)).toBeUndefined()
      expect(await hsts(server, path, { 'x-forwarded-proto': 'https' })).toBe('max-age=31536000')
    }
  })

  test('for as long as HSTSMaxAgeStr says, and not at all for 0', async () => {
    for (const [hstsMaxAge, header] of [
      [60, 'max-age=60'],
      [0, undefined],
    ] as const) {
      const other = await startTestServer({ config: { assumeHTTPS: true, hstsMaxAge } })
      expect(await hsts(other, '/config')).toBe(header)
      await other.close()
    }
  })
})
