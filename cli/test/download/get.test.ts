import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Upload, UploadOptions } from '@svc/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let svc: Svc
let proxy: FaultyProxy

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})
beforeEach(async () => {
  proxy = await startFaultyProxy(server.url)
  svc = await installSvc(proxy.url)
})
afterEach(() => Promise.all([proxy.close(), svc.close()]))

type Files = Readonly<Record<string, Uint8Array | string>>

async function stored(files: Files, options: UploadOptions = {}): Promise<Upload> {
  const names = Object.keys(files)
  const upload = await server.client.createUpload({
    ...options,
    files: names.map((fileName) => ({ fileName, reference: fileName })),
  })
  for (const file of upload.files) {
    const source = new Blob([Buffer.from(files[file.fileName] ?? '')])
    const { id, fileName } = file
    await server.client.addFile(upload.id, source, { fileID: id, fileName, uploadToken: upload.uploadToken })
  }
  return upload
}

const content = (path: string) => readFile(svc.path(path))
const small = { 'a.txt': 'hello\n', 'docs/b.txt': '', 'docs/c.jpg': 'jpg' }

describe('a link to an upload', () => {
  test('downloads all files into their folders, empty files included', async () => {
    const { id } = await stored(small)
    const { status, output } = await svc.run(['get', `${proxy.url}/#/?id=${id}`, '-o', 'out/'])
    expect(status).toBe(0)
    expect(output.split('\n').sort()).toEqual(
      ['', 'out/a.txt', 'out/docs/b.txt', 'out/docs/c.jpg'].map((path) =>
        path === '' ? '' : svc.path(path),
      ),
    )
    expect((await content('out/a.txt')).toString()).toBe('hello\n')
    expect((await content('out/docs/b.txt')).length).toBe(0)
  })

  test('downloads the selected files, and reports names without a match', async () => {
    const { id } = await stored(small)
    expect(await svc.json(['get', id, '-f', '*.jpg', '-f', 'nothing'])).toMatchObject([
      { name: 'nothing', status: 'failed' },
      { name: 'docs/c.jpg', status: 'downloaded', path: svc.path('docs/c.jpg') },
    ])
    expect(existsSync(svc.path('a.txt'))).toBe(false)
  })
})

test('a link to a file downloads it under the requested name, or to standard output', async () => {
  const upload = await stored(small)
  const [file] = upload.files
  if (file === undefined) throw new Error('no file')
  const link = `${proxy.url}/file/${upload.id}/${file.id}/a.txt`
  await svc.run(['get', link, '-o', 'b.txt'])
  expect((await content('b.txt')).toString()).toBe('hello\n')
  expect(await svc.run(['get', link, '-o', '-'])).toMatchObject({ status: 0, output: 'hello\n' })
})

test('an existing file is not overwritten without --yes, and an identical file counts as present', async () => {
  const { id } = await stored({ 'a.txt': 'new' })
  await writeFile(svc.path('a.txt'), 'mine')
  const rejected = await svc.run(['get', id])
  expect(rejected).toMatchObject({ status: 5 })
  expect(rejected.stderr).toContain('already exists')
  expect((await content('a.txt')).toString()).toBe('mine')
  expect(await svc.run(['get', id, '--yes'])).toMatchObject({ status: 0 })
  expect((await content('a.txt')).toString()).toBe('new')
  expect(await svc.json(['get', id])).toMatchObject([{ status: 'present' }])
})

test('files with equal names get distinct names', async () => {
  const { id, uploadToken } = await server.client.createUpload({})
  for (const text of ['1', '2'])
    await server.client.addFile(id, new Blob([text]), { fileName: 'x.txt', uploadToken })
  await svc.run(['get', id])
  expect([(await content('x.txt')).toString(), (await content('x (2).txt')).toString()].sort()).toEqual([
    '1',
    '2',
  ])
})

test('a download that is cut twenty times arrives complete', async () => {
  const bytes = randomBytes(20_000_000)
  const { id } = await stored({ 'big.bin': bytes })
  const cuts = Array.from({ length: 20 }, () => 1 + Math.floor(Math.random() * 900_000))
  for (const after of cuts) proxy.fail({ kind: 'cut-response', after }, { when: /^GET \/file/, times: 1 })
  const { status } = await svc.run(['get', id])
  expect(status).toBe(0)
  expect(
    createHash('md5')
      .update(await content('big.bin'))
      .digest('hex'),
  ).toBe(createHash('md5').update(bytes).digest('hex'))
  expect(proxy.requests.filter((request) => request.startsWith('GET /file'))).toHaveLength(21)
  expect(await readdir(svc.directory)).not.toContainEqual(expect.stringMatching(/\.part$/))
})

test('an interrupted download of a one-shot file requests it again from the beginning', async () => {
  const bytes = randomBytes(30_000_000)
  const { id } = await stored({ 'once.bin': bytes }, { oneShot: true })
  proxy.fail({ kind: 'cut-response', after: 1_000_000 }, { when: /^GET \/file/, times: 1 })
  expect(await svc.run(['get', id])).toMatchObject({ status: 0 })
  expect((await content('once.bin')).equals(bytes)).toBe(true)
})

test('a one-shot file continues on standard output after a cut', async () => {
  // More than the buffers of the connections hold: the server must notice the cut before it has sent the end.
  const text = Array.from({ length: 4_000_000 }, (_, index) => `${String(index)}\n`).join('')
  const { id } = await stored({ 'once.txt': text }, { oneShot: true })
  proxy.fail({ kind: 'cut-response', after: 1_000_000 }, { when: /^GET \/file/, times: 1 })
  const { status, output, stderr } = await svc.run(['get', id, '-o', '-'])
  expect({ status, isWhole: output === text }).toEqual({ status: 0, isWhole: true })
  expect(stderr).toMatch(/connection was cut.*; resuming in \d s/)
})

test('an aborted download keeps its partial file, and the next run resumes it', async () => {
  const bytes = randomBytes(3_000_000)
  const { id } = await stored({ 'big.bin': bytes })
  proxy.fail({ kind: 'end-response', after: 1_000_000 }, { when: /^GET \/file/ })
  const broken = await svc.run(['get', id, '--retries', '0'])
  expect(broken).toMatchObject({ status: 4 })
  expect(broken.stderr).toMatch(/\.part contains the first 1\.00 MB; run the command again/)
  expect(existsSync(svc.path('big.bin'))).toBe(false)
  proxy.heal()
  const fileRequest = proxy.seen(/^GET \/file/)
  expect(await svc.run(['get', id])).toMatchObject({ status: 0 })
  expect((await fileRequest).range).toBe('bytes=1000000-')
  expect((await content('big.bin')).equals(bytes)).toBe(true)
})

test('Ctrl-C leaves no file under the final name', async () => {
  const { id } = await stored({ 'big.bin': randomBytes(2_000_000) })
  proxy.fail({ kind: 'stall-response', after: 1_500_000 }, { when: /^GET \/file/ })
  const running = svc.start(['get', id])
  await proxy.seen(/^GET \/file/)
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ status: 130 })
  expect(existsSync(svc.path('big.bin'))).toBe(false)
})

test('bytes that were changed in transit are rejected, and not kept', async () => {
  const upload = await stored({ 'a.bin': Buffer.alloc(1000, 'a') })
  const liar = createServer((request, response) => {
    if (request.url?.startsWith('/upload/') === true)
      void fetch(server.url + request.url).then(async (answer) => response.end(await answer.text()))
    else response.writeHead(200, { 'content-length': 1000 }).end(Buffer.alloc(1000, 'b'))
  }).listen(0, '127.0.0.1')
  await once(liar, 'listening')
  const base = `http://127.0.0.1:${String((liar.address() as AddressInfo).port)}`
  const { status, stderr } = await svc.run(['get', `${base}/#/?id=${upload.id}`])
  expect(status).toBe(1)
  expect(stderr).toContain('MD5 differs')
  expect((await readdir(svc.directory)).filter((name) => name.startsWith('a.bin'))).toEqual([])
  await liar[Symbol.asyncDispose]()
})

test('a proxy page instead of the response is reported as a sentence', async () => {
  proxy.fail({ kind: 'respond', status: 502, body: '<html>Bad Gateway' }, { when: /^GET \/upload/ })
  const { id } = await stored(small)
  const { status, stderr } = await svc.run(['get', id])
  expect(status).toBe(1)
  expect(stderr).toBe('svc: the server or a proxy responded with 502 Bad Gateway\n')
})

describe('a malicious server', () => {
  const hostile = async (fileName: string) => {
    const upload = await stored({ 'a.txt': 'evil' })
    const lying = createServer((request, response) => {
      const path = String(request.url)
      void fetch(
        server.url +
          (path.startsWith('/file') ? `/file/${upload.id}/${upload.files[0]?.id ?? ''}/a.txt` : path),
      )
        .then(async (answer) => ({ answer, body: Buffer.from(await answer.arrayBuffer()) }))
        .then(({ answer, body }) => {
          if (path.startsWith('/file')) {
            response.end(body)
            return
          }
          const original = JSON.parse(body.toString()) as Upload
          const files = original.files.map((file) => ({ ...file, fileName }))
          response.writeHead(answer.status).end(JSON.stringify({ ...original, files }))
        })
    }).listen(0, '127.0.0.1')
    await once(lying, 'listening')
    const base = `http://127.0.0.1:${String((lying.address() as AddressInfo).port)}`
    const ran = await svc.run(['get', `${base}/#/?id=${upload.id}`, '--hidden', '-o', 'in/'])
    await lying[Symbol.asyncDispose]()
    return ran
  }

  test.each(['../../evil', '/tmp/evil-svc', '..\\evil', 'a/../../../evil', '.', 'C:\\evil'])(
    'cannot leave the folder with %j',
    async (name) => {
      await mkdir(svc.path('in'))
      const { status } = await hostile(name)
      expect(status).toBe(0)
      const written = await readdir(svc.path('in'), { recursive: true, withFileTypes: true })
      expect(written.filter((entry) => entry.isFile())).toHaveLength(1)
    },
  )

  test('cannot send control sequences to the terminal', async () => {
    const { output, stderr } = await hostile('\x1b]0;owned\x07\x1b[2J.txt')
    expect(output + stderr).not.toMatch(/(?!\n)\p{Cc}/u)
  })

  test('cannot write through a symbolic link in the folder', async () => {
    await mkdir(svc.path('in'))
    await mkdir(svc.path('outside'))
    await symlink('../outside', svc.path('in/docs'))
    const { status, stderr } = await hostile('docs/evil.txt')
    expect(status).toBe(5)
    expect(stderr).toContain('is outside')
    expect(await readdir(svc.path('outside'))).toEqual([])
  })

  test('cannot make folders through a symbolic link in the folder', async () => {
    await mkdir(svc.path('in'))
    await mkdir(svc.path('outside'))
    await symlink('../outside', svc.path('in/docs'))
    const { status, stderr } = await hostile('docs/made/by/server.txt')
    expect([status, stderr]).toEqual([5, expect.stringContaining('is outside')])
    expect(await readdir(svc.path('outside'))).toEqual([])
  })
})

test('a protected upload is downloaded with the password from the environment', async () => {
  const { id } = await stored({ 'a.txt': 'x' }, { password: 'secret' })
  expect(await svc.run(['get', id])).toMatchObject({ status: 1 })
  expect(await svc.run(['get', id], { environment: { SVC_PASSWORD: 'secret' } })).toMatchObject({ status: 0 })
})

test('an argument that is not a link is rejected before the first request', async () => {
  const { id } = await stored(small)
  const { status, stderr } = await svc.run(['get', id, 'name.txt'])
  expect(status).toBe(2)
  expect(stderr).toContain('name.txt is not a link to an upload')
  expect(proxy.requests).toEqual([])
})
