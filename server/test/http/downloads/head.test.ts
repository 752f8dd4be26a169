import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../src/http/routes.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ features: { feature_authentication: 'enabled' } })
})
afterAll(() => server.close())

const readable = routes.filter(({ endpoint }) => endpoint.method === 'GET').map(({ endpoint }) => endpoint)

/** The header fields that HEAD must have as GET does (RFC 9110 §9.3.2). */
async function describedHeaders(method: 'GET' | 'HEAD', path: string) {
  const { status, headers, text } = await sendRequest(server.url, path, { method })
  return { status, headers: { ...headers, date: '' }, text: method === 'HEAD' ? text : '' }
}

test.each([
  ...new Set(readable.map(({ path }) => path)),
  '/qrcode?url=https://svc.test',
  '/upload/{known}',
  '/file/{known}',
  '/archive/{known}/all.zip',
  '/openapi.json',
  '/docs',
  '/docs/',
  '/docs/start.js',
  '/docs/swagger-ui.css',
  '/changelog/NEXT',
])('HEAD %s has the headers of GET and no body', async (template) => {
  const { upload, path: file } = await storeUpload(server, 'content')
  const path = template.replace('/file/{known}', file).replace('{known}', upload.id)
  expect(await describedHeaders('HEAD', path)).toEqual(await describedHeaders('GET', path))
})
