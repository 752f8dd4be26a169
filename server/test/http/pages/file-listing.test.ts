import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { filePath } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../../../scripts/tests/needs.ts'
import { errorIn, sendRequest } from '../../support/clients/send-request.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

const run = promisify(execFile)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Options = Parameters<TestServer['client']['createUpload']>[0]

/** An upload with files, each with its name as its content. */
async function uploadOf(names: readonly string[], options: Options = {}) {
  const files = names.map((fileName) => ({ fileName }))
  const upload = await server.client.createUpload({ ...options, files })
  for (const { id, fileName } of upload.files)
    await server.client.addFile(upload.id, new Blob([fileName]), {
      fileName,
      fileID: id,
      uploadToken: upload.uploadToken,
    })
  const ids = upload.files.map(({ id }) => id)
  return { upload, ids, path: `/file/${upload.id}/` }
}

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

/** The content of all files of a folder, by path. */
async function contentOf(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const read = files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')])
  return Object.fromEntries(await Promise.all(read)) as Readonly<Record<string, string>>
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-listing-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const names = ['a.txt', 'folder/b c.txt', 'folder/deep/zoë.txt']
const expected = Object.fromEntries(names.map((name) => [name, name]))

describeWith(['wget'], 'wget -r', () => {
  const wget = (path: string, folder: string, ...more: readonly string[]) => {
    const flags = [
      '-q',
      '-r',
      '-np',
      '-nH',
      '--cut-dirs=2',
      '-R',
      'index.html*',
      '--restrict-file-names=nocontrol',
    ]
    return run('wget', [...flags, ...more, '-P', folder, server.url + path])
  }

  test('downloads all files into their folders', async () => {
    const { path } = await uploadOf(names)
    const folder = await newFolder()
    await wget(path, folder)
    expect(await contentOf(folder)).toEqual(expected)
  })

  test('downloads a protected upload with its password', async () => {
    const { path } = await uploadOf(names, { password: 'secret word' })
    const folder = await newFolder()
    await wget(path, folder, '--user=svc', '--password=secret word')
    expect(await contentOf(folder)).toEqual(expected)
  })

  test('leaves one-shot files alone, without robots=off', async () => {
    const { path } = await uploadOf(['a.txt'], { oneShot: true })
    const folder = await newFolder()
    await wget(path, folder)
    expect(await contentOf(folder)).toEqual({})
    await wget(path, folder, '-e', 'robots=off')
    expect(await contentOf(folder)).toEqual({ 'a.txt': 'a.txt' })
  })
})

describeWith(['rclone'], 'rclone', () => {
  const rclone = async (path: string, args: readonly string[]) => {
    const { stdout } = await run('rclone', ['--config', '', '--http-url', server.url + path, ...args])
    return stdout
  }

  test('lists and copies all files', async () => {
    const { path } = await uploadOf(names)
    const listed = await rclone(path, ['lsf', '-R', '--files-only', '--format', 'ps', ':http:'])
    expect(listed.trim().split('\n').toSorted()).toEqual(
      names.map((name) => `${name};${String(Buffer.byteLength(name))}`).toSorted(),
    )
    const folder = await newFolder()
    await rclone(path, ['copy', ':http:', folder])
    expect(await contentOf(folder)).toEqual(expected)
  })

  test('reads the dates of the files', async () => {
    const { path, ids, upload } = await uploadOf(['a.txt'])
    const { headers } = await sendRequest(server.url, filePath(upload.id, ids[0] ?? '', 'a.txt'))
    const [file] = JSON.parse(await rclone(path, ['lsjson', ':http:'])) as [{ readonly ModTime: string }]
    expect(new Date(file.ModTime).getTime()).toBe(new Date(String(headers['last-modified'])).getTime())
  })

  test('copies a one-shot file once', async () => {
    const { path } = await uploadOf(['a.txt'], { oneShot: true })
    const folder = await newFolder()
    await rclone(path, ['copy', ':http:', folder])
    expect(await contentOf(folder)).toEqual({ 'a.txt': 'a.txt' })
    expect((await listOf(path)).links).toEqual([])
  })
})
