import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { filePath } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { storeNamedFiles } from '../support/clients/stored-upload.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

const run = promisify(execFile)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** The content of all files of a folder, by path. */
async function contentOf(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const read = files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')])
  return Object.fromEntries(await Promise.all(read)) as Readonly<Record<string, string>>
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
    const { path } = await storeNamedFiles(server, names)
    const folder = await temporaryDirectory()
    await wget(path, folder)
    expect(await contentOf(folder)).toEqual(expected)
  })

  test('downloads a protected upload with its password', async () => {
    const { path } = await storeNamedFiles(server, names, { password: 'secret word' })
    const folder = await temporaryDirectory()
    await wget(path, folder, '--user=svc', '--password=secret word')
    expect(await contentOf(folder)).toEqual(expected)
  })

  test('leaves one-shot files alone, without robots=off', async () => {
    const { path } = await storeNamedFiles(server, ['a.txt'], { oneShot: true })
    const folder = await temporaryDirectory()
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
    const { path } = await storeNamedFiles(server, names)
    const listed = await rclone(path, ['lsf', '-R', '--files-only', '--format', 'ps', ':http:'])
    expect(listed.trim().split('\n').toSorted()).toEqual(
      names.map((name) => `${name};${String(Buffer.byteLength(name))}`).toSorted(),
    )
    const folder = await temporaryDirectory()
    await rclone(path, ['copy', ':http:', folder])
    expect(await contentOf(folder)).toEqual(expected)
  })

  test('reads the dates of the files', async () => {
    const { path, ids, upload } = await storeNamedFiles(server, ['a.txt'])
    const { headers } = await sendRequest(server.url, filePath(upload.id, ids[0] ?? '', 'a.txt'))
    const [file] = JSON.parse(await rclone(path, ['lsjson', ':http:'])) as [{ readonly ModTime: string }]
    expect(new Date(file.ModTime).getTime()).toBe(new Date(String(headers['last-modified'])).getTime())
  })

  test('copies a one-shot file once', async () => {
    const { path } = await storeNamedFiles(server, ['a.txt'], { oneShot: true })
    const folder = await temporaryDirectory()
    await rclone(path, ['copy', ':http:', folder])
    expect(await contentOf(folder)).toEqual({ 'a.txt': 'a.txt' })
    expect((await sendRequest(server.url, path)).text).not.toContain('href')
  })
})
