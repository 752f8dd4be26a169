import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../src/http/routes.ts'
import { sendRequest, errorIn } from '../../support/clients/send-request.ts'
import { storedFiles } from '../../support/servers/server-data.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
let below: TestServer
beforeAll(async () => {
  server = await startTestServer()
  below = await startTestServer({ config: { path: '/pre' } })
})
afterAll(() => Promise.all([server.close(), below.close()]))

const notAllowed = { status: 405, code: 'method_not_allowed' }

test.each<[string, string, string]>([
  ['POST', '/config', 'GET, HEAD'],
  ['DELETE', '/version?x=y', 'GET, HEAD'],
  ['PATCH', '/c%6fnfig', 'GET, HEAD'],
  ['OPTIONS', '/config', 'GET, HEAD'],
  ['TRACE', '/config', 'GET, HEAD'],
  ['PROPFIND', '/config', 'GET, HEAD'],
  ['QUERY', '/config', 'GET, HEAD'],
  ['PUT', '/config', 'GET, HEAD'],
  ['PUT', '/%76ersion', 'GET, HEAD'],
  ['PUT', '/upload', 'POST'],
  ['GET', '/upload', 'POST'],
  ['POST', '/upload/some', 'DELETE, GET, HEAD, PATCH'],
  ['PUT', '/upload/some', 'DELETE, GET, HEAD, PATCH'],
  ['PATCH', '/file/a/b/c%2fd', 'DELETE, GET, HEAD, OPTIONS, POST'],
  ['GET', '/auth/local/login', 'POST'],
  ['POST', '/auth/idp1/login', 'GET, HEAD'],
  ['POST', '/me', 'DELETE, GET, HEAD, PATCH'],
  ['PUT', '/openapi.json', 'GET, HEAD'],
  ['DELETE', '/docs/', 'GET, HEAD'],
  ['DELETE', '/', 'GET, HEAD, POST'],
  ['PUT', '/', 'GET, HEAD, POST'],
  ['PUT', '/?ttl=1d', 'GET, HEAD, POST'],
])('%s %s is 405 with the allowed methods', async (method, path, allow) => {
  for (const base of [server.url, below.url]) {
    const response = await sendRequest(base, new URL(base).pathname.replace(/\/$/, '') + path, { method })
    expect([response.headers.allow, response.status]).toEqual([allow, 405])
    if (method !== 'PUT') expect(errorIn(response)).toEqual(notAllowed)
  }
})

test.each<[string, string]>([
  ['GET', '/nowhere'],
  ['DELETE', '/nowhere/else'],
  ['POST', '/files'],
  ['POST', '/config/more'],
  ['GET', '/CONFIG'],
])('%s %s is 404', async (method, path) => {
  const response = await sendRequest(server.url, path, { method })
  expect(errorIn(response)).toEqual({ status: 404, code: 'not_found' })
  expect(response.headers.allow).toBeUndefined()
})

describe('route names as file names', () => {
  const paths = new Set(routes.map(({ endpoint }) => endpoint.path.split('/')[1] ?? ''))
  const served = ['changelog', 'assets', 'docs', 'openapi.json']
  const names = [...[...paths].filter((name) => /^[a-z.]+$/.test(name)), ...served]

  test.each(names)('PUT /%s is rejected', async (name) => {
    const response = await sendRequest(server.url, `/${name}`, { method: 'PUT', body: 'x' })
    expect([400, 405]).toContain(response.status)
    expect(storedFiles(server)).toEqual([])
  })

  test('are missing in PUT /, whose error says so', async () => {
    const { text } = await sendRequest(server.url, '/', { method: 'PUT', body: 'x' })
    expect(text).toContain('needs a name')
    expect(storedFiles(server)).toEqual([])
  })

  test('are allowed within longer names', async () => {
    for (const name of ['version.txt', 'my-config', 'Version', 'users.csv', 'index.html', 'robots.txt'])
      expect((await sendRequest(server.url, `/${name}`, { method: 'PUT', body: 'x' })).status).toBe(200)
  })
})
