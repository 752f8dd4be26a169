import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { File, Upload } from '@svc/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createServers } from '../../../sdk/test/served.ts'
import { installSvc, type Svc } from '../support/svc.ts'

const { served, close } = createServers()
let svc: Svc

beforeEach(async () => {
  svc = await installSvc()
})
afterEach(() => Promise.all([svc.close(), close()]))

const uploadID = 'A'.repeat(16)
const fileID = 'B'.repeat(16)
const link = (base: string) => `${base}/#/?id=${uploadID}`

const file = (lies: Partial<File> = {}): Partial<File> => ({
  id: fileID,
  fileName: 'a.txt',
  fileSize: 5,
  md5: '',
  status: 'uploaded',
  ...lies,
})

const wholeFile = (response: ServerResponse) => response.end('hello')
const halfFile = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': 5 }).write('he')
  response.socket?.end()
}

/**
 * A server that describes an upload as it likes.
 * @returns its URL, and the paths of the requests
 */
async function hostile(
  lies: Partial<Upload>,
  files: readonly Partial<File>[] = [file()],
  sendFile: (response: ServerResponse) => void = wholeFile,
) {
  const requests: string[] = []
  const base = await served((request, response) => {
    requests.push(String(request.url))
    const upload = { id: uploadID, e2ee: '', oneShot: false, stream: false, ...lies, files }
    if (request.url?.startsWith('/upload/')) response.end(JSON.stringify(upload))
    else sendFile(response)
  })
  return { base, requests }
}

describe('a link with a key to files that the server says are not encrypted', () => {
  test.each([
    [
      '',
      'svc: the server says that this file is not encrypted, but the link has a key: someone may have replaced it\n',
    ],
    [
      'rot13',
      'svc: unknown encryption (rot13), but the link has a key: someone may have replaced the file\n',
    ],
  ])('is refused before a download: %j', async (e2ee, words) => {
    const { base, requests } = await hostile({ e2ee })
    for (const output of ['a.txt', '-']) {
      const ran = await svc.run(['get', `${link(base)}&key=secret`, '-o', output])
      expect(ran).toEqual({ status: 6, output: '', stderr: words })
    }
    expect(existsSync(svc.path('a.txt'))).toBe(false)
    expect(requests.filter((path) => path.startsWith('/file'))).toEqual([])
  })

  test.each([
    ['--passphrase', 'secret'],
    ['--identity', 'key.txt'],
  ])('so is a link without a key, with %s', async (option, value) => {
    const { base, requests } = await hostile({})
    expect(await svc.run(['get', link(base), option, value])).toEqual({
      status: 6,
      output: '',
      stderr: `svc: the server says that this file is not encrypted, but you gave ${option}: someone may have replaced it\n`,
    })
    expect(requests.filter((path) => path.startsWith('/file'))).toEqual([])
  })

  test('is downloaded with --no-decrypt, which takes the bytes as they are', async () => {
    const { base } = await hostile({})
    expect(await svc.run(['get', `${link(base)}&key=secret`, '--no-decrypt'])).toMatchObject({ status: 0 })
    expect(await readdir(svc.directory)).toContain('a.txt')
  })
})

describe('an id', () => {
  test('that is a path is refused, and nothing is written outside the folder', async () => {
    await mkdir(svc.path('in/a.txt.x'), { recursive: true })
    await writeFile(svc.path('evil.part'), 'mine')
    const { base } = await hostile({}, [file({ id: 'x/../../evil' })])
    const { status, stderr } = await svc.run(['get', link(base), '-o', 'in/'])
    expect([await readFile(svc.path('evil.part'), 'utf8'), status]).toEqual(['mine', 1])
    expect(stderr).toContain('the response is not an upload')
    expect(await readdir(svc.path('in'))).toEqual(['a.txt.x'])
  })

  test('does not let a download write to a partial file that is not its own', async () => {
    const other = await hostile({ oneShot: true }, [file()], halfFile)
    expect((await svc.run(['get', link(other.base), '--retries', '0'])).status).not.toBe(0)
    const partial = (await readdir(svc.directory)).filter((name) => name.endsWith('.part'))
    expect(partial).toHaveLength(1)
    const foreign = `a.txt.${fileID}.part`
    await writeFile(svc.path(foreign), 'mine')
    const { base } = await hostile({})
    expect(await svc.run(['get', link(base)])).toMatchObject({ status: 0 })
    const contents = [partial[0] ?? '', foreign, 'a.txt'].map((name) => readFile(svc.path(name), 'utf8'))
    expect(await Promise.all(contents)).toEqual(['he', 'mine', 'hello'])
  })
})
