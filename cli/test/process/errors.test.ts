import { createHash, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let svc: Svc
let settings: Readonly<Record<string, string>>

beforeAll(async () => {
  settings = { LISTEN_PORT: String(await freePort()) }
  server = await startSvcd(await emptyDirectory(), settings)
  svc = await installSvc(server.url)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

interface UploadOutput {
  readonly id: string
  readonly files: readonly { readonly md5: string; readonly name: string }[]
}

test('an upload completes although the server crashes and restarts in the middle of it', async () => {
  const bytes = randomBytes(4_000_000)
  await writeFile(svc.path('big.bin'), bytes)
  const proxy = await startFaultyProxy(server.url)
  const args = ['big.bin', '--json', '--limit-rate', '4MB', '--retries', '20']
  const running = svc.start(args, { environment: { SVC_SERVER: proxy.url } })
  await proxy.seen(/^PATCH \/tus/)
  server.kill('SIGKILL')
  await server.ended
  server = await startSvcd(server.directory, settings)
  const { status, output, stderr } = await running.ended
  expect(status).toBe(0)
  expect(stderr).toContain('trying again')
  const upload = JSON.parse(output) as UploadOutput
  expect(upload.files.map(({ md5 }) => md5)).toEqual([createHash('md5').update(bytes).digest('hex')])
  await proxy.close()
})

test('three hundred small files are uploaded and downloaded', async () => {
  await mkdir(svc.path('many'))
  const names = Array.from({ length: 300 }, (_, index) => `${String(index)}.txt`)
  for (const name of names) await writeFile(svc.path(`many/${name}`), name)
  const { id, files } = (await svc.json(['many'])) as UploadOutput
  expect(files).toHaveLength(300)
  const got = (await svc.json(['get', id, '-o', 'back/'])) as readonly { readonly status: string }[]
  expect(got.filter(({ status }) => status === 'downloaded')).toHaveLength(300)
})

test('two concurrent commands record both uploads', async () => {
  await writeFile(svc.path('one'), '1')
  await writeFile(svc.path('two'), '2')
  const uploads = (await Promise.all([svc.json(['one']), svc.json(['two'])])) as readonly UploadOutput[]
  const listed = (await svc.json(['ls'])) as readonly { readonly id: string }[]
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(uploads.map(({ id }) => id)))
})

test('an unreachable server has a separate exit status', async () => {
  await writeFile(svc.path('one'), '1')
  const url = `http://127.0.0.1:${String(await freePort())}`
  const { status, stderr } = await svc.run(['one'], { environment: { SVC_SERVER: url } })
  expect(status).toBe(4)
  expect(stderr).toContain(`${url}: connection refused`)
})
