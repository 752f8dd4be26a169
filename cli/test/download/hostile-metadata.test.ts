import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
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

/** A server that describes an upload as it likes. @returns its URL, and the paths of the requests */
async function hostile(lies: Partial<Upload>, files: readonly Partial<File>[] = [file()]) {
  const requests: string[] = []
  const base = await served((request, response) => {
    requests.push(String(request.url))
    const upload = { id: uploadID, e2ee: '', oneShot: false, stream: false, ...lies, files }
    if (request.url?.startsWith('/upload/')) response.end(JSON.stringify(upload))
    else response.end('hello')
  })
  return { base, requests }
}

describe('a link with a key, to files that are not encrypted by the statement of the server,', () => {
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

  test('is downloaded with --no-decrypt, which takes the bytes as they are', async () => {
    const { base } = await hostile({})
    expect(await svc.run(['get', `${link(base)}&key=secret`, '--no-decrypt'])).toMatchObject({ status: 0 })
    expect(await readdir(svc.directory)).toContain('a.txt')
  })
})
