import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let proxy: FaultyProxy
let svc: Svc

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

test.each([
  ['16 small files are sent at the same time', 100, [], 16],
  ['--concurrency is the number of small files, too', 100, ['--concurrency', '3'], 3],
  ['4 larger files are sent at the same time', 65_537, [], 4],
  ['4 encrypted files are sent at the same time', 100, ['-s'], 4],
] as const)('%s', async (_name, bytes, options, expected) => {
  await mkdir(svc.path('files'))
  for (let index = 0; index < 20; index += 1)
    await writeFile(svc.path(`files/${String(index)}`), Buffer.alloc(bytes, index))
  const held = Promise.withResolvers<undefined>()
  proxy.fail({ kind: 'hold', until: held.promise }, { when: /^POST \/file/ })
  const sent = () => proxy.requests.filter((request) => request.startsWith('POST /file')).length
  const running = svc.start(['files', '--json', ...options])
  await until('the files are under way', () => (sent() >= expected ? true : undefined))
  // More requests would arrive before another command has started and ended.
  await svc.run(['ls'])
  expect(sent()).toBe(expected)
  held.resolve(undefined)
  const { status, output } = await running.ended
  expect(status).toBe(0)
  const { url, files } = JSON.parse(output) as { readonly url: string; readonly files: readonly unknown[] }
  expect(files).toHaveLength(20)
  expect(await svc.run(['get', url, '-o', 'back/'])).toMatchObject({ status: 0 })
  expect(await readdir(svc.path('back/files'))).toHaveLength(20)
})

test.each([
  ['16 small files are received at the same time', 100, [], 16],
  ['--concurrency is the number of small files that are received, too', 100, ['--concurrency', '3'], 3],
  ['4 larger files are received at the same time', 65_537, [], 4],
] as const)('%s', async (_name, bytes, options, expected) => {
  await mkdir(svc.path('files'))
  for (let index = 0; index < 20; index += 1)
    await writeFile(svc.path(`files/${String(index)}`), Buffer.alloc(bytes, index))
  const { url } = (await svc.json(['files'])) as { readonly url: string }
  const held = Promise.withResolvers<undefined>()
  proxy.fail({ kind: 'hold', until: held.promise }, { when: /^GET \/file/ })
  const asked = () => proxy.requests.filter((request) => request.startsWith('GET /file')).length
  const running = svc.start(['get', url, '-o', 'back/', ...options])
  await until('the files are under way', () => (asked() >= expected ? true : undefined))
  // More requests would arrive before another command has started and ended.
  await svc.run(['ls'])
  expect(asked()).toBe(expected)
  held.resolve(undefined)
  expect(await running.ended).toMatchObject({ status: 0 })
  for (let index = 0; index < 20; index += 1)
    expect(await readFile(svc.path(`back/files/${String(index)}`))).toEqual(Buffer.alloc(bytes, index))
})
