import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, jsonIn } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

const svc = 'https://svc.test'
const downloads = 'https://files.test'
const alias = 'https://alias.test:8443'

async function withServer(
  config: Parameters<typeof startTestServer>[0],
  use: (server: TestServer) => Promise<void>,
) {
  const server = await startTestServer(config)
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

describe('two domains', () => {
  let server: TestServer
  beforeAll(async () => {
    const config = {
      svcDomain: svc,
      downloadDomain: downloads,
      downloadDomainAlias: [alias],
      trustedProxies: [],
    }
    server = await startTestServer({ config })
  })
  afterAll(() => server.close())

  const at = (host: string, path: string, method = 'GET') =>
    sendRequest(server.url, path, { method, headers: { host } })

  test.each<[string, string, string, number, string | undefined]>([
    ['GET', 'svc.test', '/config', 200, undefined],
    ['GET', 'other.test', '/config', 200, undefined],
    ['GET', 'files.test', '/config', 302, `${svc}/config`],
    ['GET', 'files.test', '/?id=x', 302, `${svc}/?id=x`],
    ['HEAD', 'files.test', '/config', 302, `${svc}/config`],
    ['POST', 'files.test', '/upload', 307, `${svc}/upload`],
    ['PUT', 'files.test', '/name?ttl=60', 307, `${svc}/name?ttl=60`],
    ['DELETE', 'files.test', '/upload/x', 307, `${svc}/upload/x`],
    ['GET', 'svc.test', '/file/a/b/c?dl=1', 302, `${downloads}/file/a/b/c?dl=1`],
    ['HEAD', 'svc.test', '/file/a/b/c', 302, `${downloads}/file/a/b/c`],
    ['GET', 'svc.test', '/archive/a/b.zip', 302, `${downloads}/archive/a/b.zip`],
    ['GET', 'other.test', '/file/a/b/c', 302, `${downloads}/file/a/b/c`],
    ['GET', 'files.test', '/file/a/b/c', 404, undefined],
    ['GET', 'alias.test:8443', '/file/a/b/c', 404, undefined],
    ['GET', 'alias.test', '/file/a/b/c', 302, `${downloads}/file/a/b/c`],
    ['GET', 'files.test.evil.test', '/file/a/b/c', 302, `${downloads}/file/a/b/c`],
    ['OPTIONS', 'svc.test', '/file/a/b/c', 204, undefined],
    ['OPTIONS', 'files.test', '/file/a/b/c', 204, undefined],
    ['GET', 'svc.test', '/health', 200, undefined],
    ['GET', 'files.test', '/health', 200, undefined],
    ['GET', 'other.test', '/health', 200, undefined],
    ['GET', 'files.test', '//evil.test/%2e%2e', 302, `${svc}//evil.test/%2e%2e`],
    ['GET', 'files.test', '/health?x=1', 200, undefined],
    ['GET', 'files.test', '/%68ealth', 200, undefined],
    // The same addresses in other notations.
    ['GET', 'svc.test', '/fil%65/a/b/c', 302, `${downloads}/fil%65/a/b/c`],
    ['GET', 'svc.test', '/%61rchive/a/b.zip', 302, `${downloads}/%61rchive/a/b.zip`],
    ['GET', 'svc.test', '/%73tream/a/b/c', 302, `${downloads}/%73tream/a/b/c`],
    ['GET', 'files.test', '/%66ile/a/b/c', 404, undefined],
    ['GET', 'files.test', '/c%6fnfig', 302, `${svc}/c%6fnfig`],
    ['GET', 'files.test', 'http://svc.test/file/a/b/c', 302, `${downloads}/file/a/b/c`],
    ['GET', 'svc.test', 'http://files.test/file/a/b/c', 404, undefined],
    ['GET', 'svc.test', 'HTTP://files.test/config?x', 302, `${svc}/config?x`],
    ['GET', 'files.test', 'http://svc.test?x', 200, undefined],
  ])('%s on %s of %s: %i', async (method, host, path, status, location) => {
    const response = await at(host, path, method)
    expect({ status: response.status, location: response.headers.location }).toEqual({ status, location })
  })

  test('a file is added on the domain of the service, and removed there', async () => {
    const host = 'svc.test'
    const { id, uploadToken = '' } = await server.client.createUpload()
    const headers = { host, 'x-uploadtoken': uploadToken }
    const form = { method: 'POST', headers: { ...headers, 'content-type': formType }, body: fileForm('x') }
    const sent = await sendRequest(server.url, `/file/${id}`, form)
    expect(sent.status).toBe(200)
    const { id: fileID } = jsonIn(sent) as { readonly id: string }
    const path = `/file/${id}/${fileID}/file.txt`
    expect((await sendRequest(server.url, path, { method: 'DELETE', headers })).text).toBe('ok')
  })

  test('responses contain the address of the downloads, and quick uploads their links', async () => {
    const upload = await server.client.createUpload()
    expect(upload).toMatchObject({ downloadDomain: downloads, downloadURL: downloads })
    expect(await server.client.configuration()).toMatchObject({
      svcDomain: svc,
      downloadDomain: downloads,
      downloadURL: downloads,
    })
    const quick = await sendRequest(server.url, '/name', {
      method: 'PUT',
      headers: { host: 'svc.test' },
      body: 'x',
    })
    expect(quick.text).toMatch(/^https:\/\/files\.test\/file\/\w{16}\/\w{16}\/name\n$/)
  })

  test.each(['', '[', 'x:99999', 'a b', 'x/../y', 'x?y', '@', 'svc.test@files.test', '%', ':', '[::1', 'ä'])(
    'an unknown host (%j) does not make the server fail',
    async (host) => {
      for (const path of ['/config', '/file/a/b/c', '/health']) {
        const { status, headers } = await at(host, path)
        expect([path, status < 500]).toEqual([path, true])
        if (headers.location !== undefined) expect(headers.location).toMatch(/^https:\/\/(svc|files)\.test\//)
      }
    },
  )
})

test.each<[string, string, string, string | undefined]>([
  ['', '', '', undefined],
  [svc, '', '', svc],
  [svc, '', '/pre/fix', `${svc}/pre/fix`],
  ['', downloads, '', downloads],
  [svc, downloads, '/pre', `${downloads}/pre`],
])(
  'with SvcDomain %j, DownloadDomain %j and Path %j, downloadURL is %j',
  async (svcDomain, downloadDomain, path, url) => {
    await withServer({ config: { svcDomain, downloadDomain, path } }, async (server) => {
      const upload = await server.client.createUpload()
      expect([upload.downloadURL, upload.downloadDomain]).toEqual([url, downloadDomain])
      expect((await server.client.configuration()).downloadURL).toBe(url)
    })
  },
)

test('a download domain alone redirects downloads and nothing else', async () => {
  await withServer({ config: { downloadDomain: downloads } }, async (server) => {
    const at = async (host: string, path: string) =>
      (await sendRequest(server.url, path, { headers: { host } })).status
    expect(await at('files.test', '/config')).toBe(200)
    expect(await at('other.test', '/file/a/b/c')).toBe(302)
  })
})

describe('a path prefix', () => {
  let server: TestServer
  let origin: string
  beforeAll(async () => {
    server = await startTestServer({
      config: { path: '/pre/fix', svcDomain: svc, downloadDomain: downloads },
    })
    origin = new URL(server.url).origin
  })
  afterAll(() => server.close())

  test('precedes every route, and nothing is served outside it', async () => {
    for (const path of ['/config', '/health', '/version', '/openapi.json', '/docs/']) {
      const [inside, outside] = [
        await sendRequest(origin, `/pre/fix${path}`),
        await sendRequest(origin, path),
      ]
      expect([path, inside.status, outside.status]).toEqual([path, 200, 404])
    }
  })

  test('is in links and redirects', async () => {
    const host = 'svc.test'
    const quick = await sendRequest(origin, '/pre/fix/name', { method: 'PUT', headers: { host }, body: 'x' })
    expect(quick.text).toMatch(/^https:\/\/files\.test\/pre\/fix\/file\/\w{16}\/\w{16}\/name\n$/)
    const moved = await sendRequest(origin, '/pre/fix/file/a/b/c', { headers: { host } })
    expect(moved.headers.location).toBe(`${downloads}/pre/fix/file/a/b/c`)
    const back = await sendRequest(origin, '/pre/fix/config', { headers: { host: 'files.test' } })
    expect(back.headers.location).toBe(`${svc}/pre/fix/config`)
    const { id, uploadToken } = await server.client.createUpload({ oneShot: true })
    const { id: fileID } = await server.client.addFile(id, new Blob(['x']), { fileName: 'f', uploadToken })
    const headers = { host: 'files.test', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }
    const page = await sendRequest(origin, `/pre/fix/file/${id}/${fileID}/f`, { headers })
    // The page belongs to the application, so the redirect may pass over the domain of the service.
    expect(page.status).toBe(302)
    expect(page.headers.location).toMatch(new RegExp(`^(${svc})?/pre/fix/#/\\?id=${id}$`))
  })

  test('without a slash at its end redirects to the page', async () => {
    for (const written of ['/pre/fix', '/%70re/f%69x'])
      for (const query of ['', '?x=1']) {
        const response = await sendRequest(origin, written + query, { headers: { host: 'svc.test' } })
        expect([response.status, response.headers.location]).toEqual([302, `/pre/fix/${query}`])
      }
    expect((await sendRequest(origin, '/pre/fixed', { headers: { host: 'svc.test' } })).status).toBe(404)
  })

  test('is in the description of the service', async () => {
    expect(jsonIn(await sendRequest(origin, '/pre/fix/openapi.json'))).toMatchObject({
      servers: [{ url: '/pre/fix' }],
    })
  })
})
