import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sendRequest } from '../../support/clients/send-request.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function previewOf(id: string, instance: TestServer = server) {
  const { status, headers, text } = await sendRequest(instance.url, `/s/${id}`)
  const tags = Object.fromEntries(
    [...text.matchAll(/<meta (?:property|name)="((?:og|twitter):\w+)" content="([^"]*)">/g)].map(
      ([, name = '', content]) => [name, content],
    ),
  )
  const target = /<noscript><meta http-equiv="refresh" content="0; url=([^"]*)"><\/noscript>/.exec(text)?.[1]
  return { status, headers, text, tags, target }
}

describe('the short link of an upload', () => {
  test('describes one file, and redirects to its page', async () => {
    const { upload } = await storeUpload(server, 'content', { fileName: 'report.txt' })
    const { status, headers, tags, target, text } = await previewOf(upload.id)
    expect([status, headers['content-type'], target]).toEqual([
      200,
      'text/html; charset=utf-8',
      `/#/?id=${upload.id}`,
    ])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(tags).toEqual({
      'og:type': 'website',
      'og:site_name': 'Svc',
      'og:title': 'report.txt',
      'og:description': '1 file, 7 B',
      'og:url': `${server.url}/s/${upload.id}`,
      'og:image': `${server.url}/icon-512.png`,
      'twitter:card': 'summary',
      'twitter:title': 'report.txt',
      'twitter:description': '1 file, 7 B',
    })
    expect(text).toContain('<meta name="robots" content="noindex">')
  })

  test('counts several files', async () => {
    const { upload, uploadToken } = await storeUpload(server, 'content')
    await server.client.addFile(upload.id, new Blob(['abc']), { fileName: 'b.txt', uploadToken })
    expect((await previewOf(upload.id)).tags).toMatchObject({
      'og:title': 'Shared files',
      'og:description': '2 files, 10 B',
    })
  })

  test('counts more files than one query reads', async () => {
    const { upload, uploadToken } = await storeUpload(server, 'x', { fileName: '0.txt' })
    for (let index = 1; index < 40; index += 1)
      await server.client.addFile(upload.id, new Blob(['x']), {
        fileName: `${String(index)}.txt`,
        uploadToken,
      })
    expect((await previewOf(upload.id)).tags['og:description']).toBe('40 files, 40 B')
  })

  test('does not count files that are declared or removed', async () => {
    const { id, uploadToken = '' } = await server.client.createUpload({ files: [{ fileName: 'a.txt' }] })
    expect((await previewOf(id)).tags['og:description']).toBe('0 files')
    const gone = await server.client.addFile(id, new Blob(['x']), { fileName: 'b.txt', uploadToken })
    await server.client.addFile(id, new Blob(['x']), { fileName: 'c.txt', uploadToken })
    await server.client.removeFile(id, gone, { uploadToken })
    expect((await previewOf(id)).tags).toMatchObject({
      'og:title': 'c.txt',
      'og:description': '1 file, 1 B',
    })
  })

  test('of a live transfer claims no files', async () => {
    const { id } = await server.client.createUpload({ stream: true, files: [{ fileName: 'live.txt' }] })
    const { text, tags } = await previewOf(id)
    expect(tags['og:description']).toBe('A live transfer: the files are not stored.')
    expect(text).not.toContain('live.txt')
  })

  test('shows no names of encrypted files, and nothing of files with a password', async () => {
    const encrypted = await storeUpload(server, 'age-encryption.org/v1\n', {
      fileName: 'secret.txt',
      e2ee: 'age',
    })
    const hidden = await previewOf(encrypted.upload.id)
    expect(hidden.text).not.toContain('secret')
    expect(hidden.tags['og:description']).toBe('1 file, 22 B, end-to-end encrypted')
    const { id, uploadToken = '' } = await server.client.createUpload({ login: 'a', password: 'b' })
    const access = { uploadToken, login: 'a', password: 'b' }
    await server.client.addFile(id, new Blob(['x']), { fileName: 'secret.txt', ...access })
    const locked = await previewOf(id)
    expect(locked.text).not.toMatch(/secret|1 file/)
    expect(locked.tags['og:description']).toBe('Protected by a password.')
  })

  test('is not a download of a one-shot file, and needs no credentials', async () => {
    const { upload, path } = await storeUpload(server, 'content', { oneShot: true })
    await previewOf(upload.id)
    await previewOf(upload.id)
    expect((await sendRequest(server.url, path)).text).toBe('content')
    expect((await previewOf(upload.id)).tags['og:description']).toBe('0 files')
  })

  test('escapes names', async () => {
    const fileName = `"><script>alert('&')</script>.txt`
    const { upload } = await storeUpload(server, 'content', { fileName: fileName.replace('/', '') })
    const { text, tags } = await previewOf(upload.id)
    expect(text).not.toContain('<script>alert')
    expect(tags['og:title']).toBe('&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;script&gt;.txt')
  })

  test.each(['aB3dE6gH9jK2mN5p', 'x', '%22%3E%3Cscript%3E'])(
    'of no upload (%s) is 404, and still redirects people to the page, which says why',
    async (id) => {
      const { status, target, text } = await previewOf(id)
      expect([status, target]).toEqual([404, `/#/?id=${id}`])
      expect(text).not.toContain('"><script>')
    },
  )

  test('of an upload that expires is 404 from then on', async () => {
    const { upload } = await storeUpload(server, 'content', { ttl: 60 })
    expect((await previewOf(upload.id)).status).toBe(200)
    server.clock.advance(60_000)
    expect((await previewOf(upload.id)).status).toBe(404)
  })

  test('has the name of settings.json, however it changes, and works below a path', async () => {
    const webappDirectory = await mkdtemp(join(tmpdir(), 'svc-webapp-'))
    const named = await startTestServer({ config: { webappDirectory, path: '/share' } })
    onTestFinished(() => named.close())
    const { upload } = await storeUpload(named)
    const origin = new URL(named.url).origin
    const siteName = async () => {
      const { text } = await sendRequest(origin, `/share/s/${upload.id}`)
      expect(text).toContain(`url=/share/#/?id=${upload.id}`)
      return /"og:site_name" content="([^"]*)"/.exec(text)?.[1]
    }
    expect(await siteName()).toBe('Svc')
    const settings = join(webappDirectory, 'settings.json')
    await writeFile(settings, '{ "name": "Files & <more>" // ours\n}')
    expect(await siteName()).toBe('Files &amp; &lt;more&gt;')
    await writeFile(settings, '{ "name": ')
    expect(await siteName()).toBe('Svc')
  })
})
