import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type RunOptions, type Running, type Svc } from '../support/svc.ts'

/** Uploads that another run of the program resumes. */
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

const size = 6_000_000
/** Long enough for a busy machine to end the upload before its last byte. */
const slowly = ['--limit-rate', '300kB']

interface Listed {
  readonly id: string
  readonly state: string
}

const listed = async () => (await svc.json(['ls'])) as readonly Listed[]
const requestsFor = (pattern: RegExp) => proxy.requests.filter((request) => pattern.test(request))

/** The only file of an upload, as the server sees it. */
async function fileOf(id: string) {
  const { uploadToken } = JSON.parse(
    await readFile(svc.path('.local/state/svc/uploads.jsonl'), 'utf8').then(
      (text) => text.split('\n')[0] ?? '',
    ),
  ) as { readonly uploadToken: string }
  const { files } = await server.client.upload(id, { uploadToken })
  return files
}

/** Runs a command until the server has stored a part of its largest file, and ends it by a signal. */
async function interrupted(
  args: readonly string[],
  signal: NodeJS.Signals,
  options?: RunOptions,
): Promise<string> {
  const sending = proxy.seen(/^PATCH/)
  const running = svc.start([...args, ...slowly], options)
  await sending
  const id = (await listed())[0]?.id ?? ''
  await partIsStored(id)
  await end(running, signal)
  return id
}

const partIsStored = (id: string) =>
  until('a part is stored', async () =>
    (await fileOf(id)).some(({ status, offset = 0 }) => status === 'uploading' && offset > 0),
  )

async function end(running: Running, signal: NodeJS.Signals) {
  running.child.kill(signal)
  return running.ended
}

async function expectStored(id: string, contents: Readonly<Record<string, Uint8Array>>) {
  expect(await svc.run(['get', id, '-o', 'back/', '-y'])).toMatchObject({ status: 0 })
  for (const [name, content] of Object.entries(contents))
    expect((await readFile(svc.path(`back/${name}`))).equals(content)).toBe(true)
  const { files } = await server.client.upload(id)
  const there = files.filter(({ status }) => status === 'uploaded')
  expect(there.map(({ fileName }) => fileName).sort()).toEqual(Object.keys(contents).sort())
}

async function written(name: string, bytes = randomBytes(size)): Promise<Buffer> {
  await writeFile(svc.path(name), bytes)
  return bytes
}

const firstOffset = async () => (await proxy.seen(/^PATCH \/tus/))['upload-offset']

for (const signal of ['SIGKILL', 'SIGINT', 'SIGTERM'] as const)
  test(`after ${signal}, the same command goes on in the same upload from the last byte stored`, async () => {
    const bytes = await written('big.bin')
    const id = await interrupted(['-q', 'big.bin'], signal)
    expect(await listed()).toMatchObject([{ id, state: 'unfinished', names: ['big.bin'] }])
    const offset = firstOffset()
    const { status, output } = await svc.run(['-q', './big.bin'])
    expect(status).toBe(0)
    expect(output).toContain(id)
    expect(Number(await offset)).toBeGreaterThan(0)
    expect(requestsFor(/^POST \/upload/)).toHaveLength(1)
    expect(await listed()).toMatchObject([{ id, state: 'complete' }])
    expect(await readdir(svc.path('.local/state/svc/unfinished'))).toEqual([])
    await expectStored(id, { 'big.bin': bytes })
  })

test('Ctrl-C says how to resume, and svc resume does so from another folder', async () => {
  const bytes = await written('big.bin')
  const running = svc.start(['big.bin', ...slowly])
  const id = await until('the upload is created', async () => (await listed())[0]?.id)
  await partIsStored(id)
  expect((await listed())[0]?.state).toBe('sending')
  const { status, output, stderr } = await end(running, 'SIGINT')
  expect({ status, output }).toEqual({ status: 130, output: '' })
  expect(stderr).toMatch(/svc resume 'http\S+'; to delete it: svc rm /)
  await mkdir(svc.path('else'))
  const offset = firstOffset()
  const resumed = await svc.run(['resume', `${proxy.url}/#/?id=${id}`], { directory: svc.path('else') })
  expect(resumed).toMatchObject({ status: 0, output: `${proxy.url}/#/?id=${id}\n` })
  expect(Number(await offset)).toBeGreaterThan(0)
  await expectStored(id, { 'big.bin': bytes })
  expect((await svc.run(['resume'])).stderr).toContain('there is no unfinished upload')
})

describe('an encrypted upload', () => {
  test('goes on with the generated passphrase', async () => {
    const bytes = await written('big.bin')
    const id = await interrupted(['-s', '-q', 'big.bin'], 'SIGKILL')
    const offset = firstOffset()
    const { output } = await svc.run(['-s', '-q', '--link', 'page', 'big.bin'])
    expect(Number(await offset)).toBeGreaterThan(0)
    expect(output).toContain(id)
    expect(await svc.run(['get', output.trim(), '-o', 'back'])).toMatchObject({ status: 0 })
    expect((await readFile(svc.path('back'))).equals(bytes)).toBe(true)
    const state = await readdir(svc.path('.local/state/svc'), { recursive: true })
    expect(state.sort()).toEqual(['downloads', 'unfinished', 'uploads.jsonl'])
  })

  test('goes on only with the passphrase that it began with, which is not stored', async () => {
    const bytes = await written('big.bin')
    const environment = { SVC_PASSPHRASE: 'correct horse' }
    const id = await interrupted(['-s', '-q', 'big.bin'], 'SIGKILL', { environment })
    const state = await readdir(svc.path('.local/state/svc/unfinished'))
    expect(await readFile(svc.path(`.local/state/svc/unfinished/${state[0] ?? ''}`), 'utf8')).not.toContain(
      'horse',
    )
    expect(await svc.run(['resume', id, '--passphrase', 'other'])).toMatchObject({ status: 6, output: '' })
    const { output } = await svc.run(['resume', id], { environment })
    expect(await svc.run(['get', output.trim(), '-o', 'back'], { environment })).toMatchObject({ status: 0 })
    expect((await readFile(svc.path('back'))).equals(bytes)).toBe(true)
    expect(requestsFor(/^POST \/upload/)).toHaveLength(1)
  })

  test('of a changed file begins again, with another key', async () => {
    await written('big.bin')
    const id = await interrupted(['-s', '-q', 'big.bin'], 'SIGKILL')
    const before = await stat(svc.path('big.bin'))
    const bytes = await written('big.bin')
    await utimes(svc.path('big.bin'), before.atime, before.mtime)
    const { output, stderr } = await svc.run(['-s', '-q', '--link', 'page', 'big.bin'])
    expect(stderr).toContain('big.bin has changed since the upload began; it is sent again')
    expect(output).toContain(id)
    expect(await svc.run(['get', output.trim(), '-o', 'back'])).toMatchObject({ status: 0 })
    expect((await readFile(svc.path('back'))).equals(bytes)).toBe(true)
  })
})

test('a file that changed meanwhile is sent again, others are not', async () => {
  await mkdir(svc.path('tree/deep'), { recursive: true })
  await written('tree/a', Buffer.from('of a'))
  await written('tree/deep/b', Buffer.from('of b'))
  await written('tree/gone', Buffer.from('of gone'))
  await written('tree/z.bin')
  const id = await interrupted(['-q', 'tree', '--concurrency', '1'], 'SIGKILL')
  await appendFile(svc.path('tree/z.bin'), 'more')
  await appendFile(svc.path('tree/a'), ' and more')
  await written('tree/deep/new', Buffer.from('of new'))
  await rm(svc.path('tree/gone'))
  const sent = proxy.requests.length
  const { status, stderr, output } = await svc.run(['-q', 'tree'])
  expect(status).toBe(0)
  expect(output).toContain(id)
  expect(stderr).toContain('tree/z.bin has changed since the upload began; it is sent again')
  expect(stderr).toContain('tree/a has changed since the upload began; it is sent again')
  expect(stderr).toContain('tree/gone is no longer there; it is removed from the upload')
  expect(proxy.requests.slice(sent).filter((request) => /^POST \/(?:tus|file)/.test(request))).toHaveLength(3)
  const { files } = await server.client.upload(id)
  expect(
    files
      .filter(({ status: now }) => now === 'uploaded')
      .map(({ fileName }) => fileName)
      .sort(),
  ).toEqual(['tree/a', 'tree/deep/b', 'tree/deep/new', 'tree/z.bin'])
  expect(await svc.run(['get', id, '-o', 'back/'])).toMatchObject({ status: 0 })
  for (const name of ['a', 'deep/b', 'deep/new', 'z.bin'])
    expect(
      (await readFile(svc.path(`back/tree/${name}`))).equals(await readFile(svc.path(`tree/${name}`))),
    ).toBe(true)
})

test('a resumed upload that is interrupted again goes on, even with files that were sent again', async () => {
  await written('big.bin')
  const id = await interrupted(['-q', 'big.bin'], 'SIGKILL')
  const bytes = await written('big.bin')
  expect(await interrupted(['-q', 'big.bin'], 'SIGKILL')).toBe(id)
  const offset = firstOffset()
  expect(await svc.run(['-q', 'big.bin'])).toMatchObject({ status: 0, stderr: '' })
  expect(Number(await offset)).toBeGreaterThan(0)
  await expectStored(id, { 'big.bin': bytes })
})

test('another command, and one with other options, begin other uploads', async () => {
  await written('big.bin')
  await written('other', Buffer.from('other'))
  const id = await interrupted(['-q', 'big.bin', '-p', 'secret'], 'SIGKILL')
  for (const args of [['other'], ['big.bin'], ['big.bin', '-p', 'public'], ['big.bin', '-p', 'secret', '-o']])
    expect((await svc.run(['-q', ...args])).output).not.toContain(id)
  expect((await svc.run(['-q', 'big.bin', '-p', 'secret'])).output).toContain(id)
})

test('a running upload is not taken over by the same command', async () => {
  await written('big.bin')
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>()
  proxy.fail({ kind: 'hold', until: ended }, { when: /^PATCH/, times: 1 })
  const sending = proxy.seen(/^PATCH/)
  const running = svc.start(['-q', 'big.bin'])
  await sending
  const id = (await listed())[0]?.id ?? ''
  expect((await svc.run(['-q', 'big.bin'])).output).not.toContain(id)
  expect((await svc.run(['resume', id])).stderr).toContain('another svc is sending this upload')
  end(undefined)
  expect((await running.ended).output).toContain(id)
})

test('an upload that lost its connection for good stays, and goes on', async () => {
  await written('big.bin')
  proxy.fail({ kind: 'cut-request', after: 3_000_000 }, { when: /^PATCH/ })
  const args = ['-q', 'big.bin', '--retries', '0']
  const { status, output, stderr } = await svc.run(args)
  expect({ status, output }).toEqual({ status: 4, output: '' })
  expect(requestsFor(/^PATCH/)).toHaveLength(1)
  const id = (await listed())[0]?.id ?? ''
  expect(stderr).toContain(`svc resume '${proxy.url}/#/?id=${id}'`)
  proxy.heal()
  expect(await svc.run(args)).toMatchObject({ status: 0, output: expect.stringContaining(id) as string })
})

test('an upload that the server has removed begins again', async () => {
  const bytes = await written('big.bin')
  const id = await interrupted(['-q', 'big.bin'], 'SIGKILL')
  const token = JSON.parse(
    (await readFile(svc.path('.local/state/svc/uploads.jsonl'), 'utf8')).split('\n')[0] ?? '',
  ) as { readonly uploadToken: string }
  await server.client.removeUpload(id, token)
  const { status, output, stderr } = await svc.run(['-q', 'big.bin'])
  expect(status).toBe(0)
  expect(stderr).toContain('the server has removed the unfinished upload')
  expect(output).not.toContain(id)
  const [, again = ''] = /file\/(\w{16})/.exec(output) ?? []
  await expectStored(again, { 'big.bin': bytes })
})
