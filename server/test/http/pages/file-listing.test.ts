import type { UploadOptions } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorIn, sendRequest } from '../../support/clients/send-request.ts'
import { storeNamedFiles } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const uploadOf = (names: readonly string[], options: UploadOptions = {}) =>
  storeNamedFiles(server, names, options)

async function listOf(path: string, options?: Parameters<typeof sendRequest>[2]) {
  const { status, headers, text } = await sendRequest(server.url, path, options)
  const links = [...text.matchAll(/<a href="([^"]*)">/g)].map(([, link = '']) => link)
  return { status, headers, text, links }
}

describe('the list of the files of an upload', () => {
  test('has a line for each file, with its size and its date', async () => {
    const { path } = await uploadOf(['a.txt', 'b & c.txt'])
    const { status, headers, text, links } = await listOf(path)
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).not.toContain('script')
    expect(links).toEqual(['a.txt', 'b%20%26%20c.txt'])
    expect(text).toMatch(/<a href="a\.txt">a\.txt<\/a> {46}\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d {19}5\n/)
    expect(text).toContain('>b &amp; c.txt</a>')
  })

  test('has folders, whose files have paths of their names', async () => {
    const { path } = await uploadOf(['top.txt', 'one/two/deep.txt', 'one/file.txt'])
    expect((await listOf(path)).links).toEqual(['top.txt', 'one/'])
    expect((await listOf(`${path}one/`)).links).toEqual(['../', 'two/', 'file.txt'])
    expect((await listOf(`${path}one/two/`)).links).toEqual(['../', 'deep.txt'])
    for (const name of ['top.txt', 'one/file.txt', 'one/two/deep.txt'])
      expect(await sendRequest(server.url, path + name)).toMatchObject({ status: 200, text: name })
    expect(errorIn(await sendRequest(server.url, `${path}two/`))).toMatchObject({ code: 'file_not_found' })
    expect(errorIn(await sendRequest(server.url, `${path}one`))).toMatchObject({ code: 'file_not_found' })
    expect(errorIn(await sendRequest(server.url, `${path}a%00b`))).toMatchObject({ code: 'file_not_found' })
  })

  test('keeps files with equal names apart', async () => {
    const { path, ids } = await uploadOf(['a.txt', 'a.txt', 'a', 'a/b'])
    const [, second = '', third = ''] = ids
    expect((await listOf(path)).links).toEqual(['a.txt', `${second}/`, `${third}/`, 'a/'])
    expect((await listOf(`${path}${second}/`)).links).toEqual(['../', 'a.txt'])
    expect(await sendRequest(server.url, `${path}${third}/a`)).toMatchObject({ status: 200, text: 'a' })
  })

  test('a file whose folder has the name of the id of another one does not hide it', async () => {
    const { upload, ids, path } = await uploadOf(['a.txt'])
    const [id = ''] = ids
    const { uploadToken } = upload
    const hidden = `${id}/a.txt`
    const added = await server.client.sendFile(upload.id, new Blob(['other']), {
      fileName: hidden,
      uploadToken,
      resumable: { threshold: -1 },
    })
    expect((await listOf(path)).links).toEqual(['a.txt', `${added}/`])
    expect(await sendRequest(server.url, path + hidden)).toMatchObject({ text: 'a.txt' })
    expect(await sendRequest(server.url, `${path}${added}/${hidden}`)).toMatchObject({ text: 'other' })
  })

  test('escapes hostile names', async () => {
    const names = ['"><script src=x>', 'javascript:alert(1)', '?a=b#c', '%2e%2e', "'&amp;"]
    const { path } = await uploadOf(names)
    const { text, links } = await listOf(path)
    expect(text).not.toContain('<script')
    const base = new URL(path, server.url)
    for (const [index, link] of links.entries()) {
      const target = new URL(link.replaceAll('&#39;', "'"), base)
      expect([names[index], target.origin, target.pathname.startsWith(path)]).toEqual([
        names[index],
        base.origin,
        true,
      ])
      expect(await sendRequest(server.url, target.pathname + target.search)).toMatchObject({
        status: 200,
        text: names[index],
      })
    }
    expect(links).toHaveLength(names.length)
  })

  test('uses no download of a one-shot file', async () => {
    const { path } = await uploadOf(['a.txt'], { oneShot: true })
    for (const method of ['HEAD', 'GET', 'GET']) expect((await listOf(path, { method })).status).toBe(200)
    expect(await sendRequest(server.url, `${path}a.txt`)).toMatchObject({ status: 200, text: 'a.txt' })
    expect((await listOf(path)).links).toEqual([])
    expect((await sendRequest(server.url, `${path}a.txt`)).status).toBe(404)
  })

  test('is empty for a stream, which is not stored', async () => {
    const upload = await server.client.createUpload({ stream: true, files: [{ fileName: 'a.txt' }] })
    expect(await listOf(`/file/${upload.id}/`)).toMatchObject({ status: 200, links: [] })
    expect((await sendRequest(server.url, `/file/${upload.id}/a.txt`)).status).toBe(404)
  })

  test('requires the password, as downloads do', async () => {
    const { path } = await uploadOf(['a.txt'], { password: 'secret word' })
    const refused = await listOf(path)
    expect([refused.status, refused.links]).toEqual([401, []])
    expect(refused.headers['www-authenticate']).toMatch(/^Basic /)
    const authorization = `Basic ${Buffer.from('svc:secret word').toString('base64')}`
    expect((await listOf(path, { headers: { authorization } })).links).toEqual(['a.txt'])
  })

  test('ends with its upload', async () => {
    const { path, upload } = await uploadOf(['a.txt'])
    await server.client.removeUpload(upload.id, upload)
    expect((await listOf(path)).status).toBe(404)
  })

  test('of more files than one query reads is complete', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `${String(index)}.txt`)
    const { path } = await uploadOf(names)
    expect((await listOf(path)).links).toEqual(names)
  })
})
