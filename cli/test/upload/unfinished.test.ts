import { randomBytes } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Running, type Svc } from '../support/svc.ts'

/** What the history and the state of the program have of uploads that did not end. */
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

interface Listed {
  readonly id: string
  readonly url: string
}

const listed = async () => (await svc.json(['ls'])) as readonly Listed[]

async function end(running: Running, signal: NodeJS.Signals) {
  running.child.kill(signal)
  return running.ended
}

test('an upload is in the history before its first byte is sent', async () => {
  await writeFile(svc.path('small'), 'small')
  const held = Promise.withResolvers<undefined>()
  proxy.fail({ kind: 'hold', until: held.promise }, { when: /^POST \/(?:file|tus)/ })
  const running = svc.start(['-q', 'small'])
  await proxy.seen(/^POST \/(?:file|tus)/)
  await end(running, 'SIGKILL')
  held.resolve(undefined)
  const [upload] = await listed()
  expect(upload).toMatchObject({ state: 'unfinished', names: ['small'] })
  expect((await stat(svc.path('.local/state/svc/uploads.jsonl'))).mode & 0o777).toBe(0o600)
  expect(await svc.run(['rm', upload?.url ?? ''])).toMatchObject({ status: 0 })
  await expect(server.client.upload(upload?.id ?? '')).rejects.toMatchObject({ status: 404 })
  expect(await listed()).toEqual([])
})

test('standard input cannot be resumed: Ctrl-C leaves nothing, and after kill -9 svc rm removes it', async () => {
  const input = randomBytes(6_000_000)
  // Slow enough for a busy machine to end the upload before its last byte.
  const start = () => svc.start(['-q', '-', '--limit-rate', '300kB'], { input })
  const sending = proxy.seen(/^POST \/file/)
  const first = start()
  await sending
  const id = (await listed())[0]?.id ?? ''
  expect(await end(first, 'SIGINT')).toMatchObject({ status: 130 })
  await expect(server.client.upload(id)).rejects.toMatchObject({ status: 404 })
  expect(await listed()).toEqual([])
  const second = start()
  const other = await until('the upload is created', async () => (await listed())[0]?.id)
  await end(second, 'SIGKILL')
  expect(await listed()).toMatchObject([{ id: other, state: 'unfinished' }])
  expect((await svc.run(['resume', other])).stderr).toContain('cannot be read again')
  expect(await svc.run(['rm', other])).toMatchObject({ status: 0 })
  expect(await listed()).toEqual([])
})

test('where the state cannot be written, the upload works without it', async () => {
  await writeFile(svc.path('small'), 'small')
  await writeFile(svc.path('blocked'), '')
  const environment = { XDG_STATE_HOME: svc.path('blocked') }
  const { status, stderr } = await svc.run(['small'], { environment })
  expect(status).toBe(0)
  expect(stderr).toContain('the upload cannot be resumed if it is interrupted')
})
