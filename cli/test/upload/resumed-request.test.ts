import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  startFaultyProxy,
  type Fault,
  type FaultyProxy,
} from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** Files for an upload request that another run of the program resumes. */
let server: Svcd
let owner: Svc
let sender: Svc
let proxy: FaultyProxy

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  owner = await installSvc(server.url)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, owner.close()])
})
beforeEach(async () => {
  proxy = await startFaultyProxy(server.url)
  sender = await installSvc()
})
afterEach(() => Promise.all([proxy.close(), sender.close()]))

interface Asked {
  readonly id: string
  /** The link for senders, through the proxy. */
  readonly link: string
  readonly requestToken: string
}

async function newRequest(...options: readonly string[]): Promise<Asked> {
  const { id, url } = (await owner.json(['request', 'new', 'Photos', ...options])) as {
    readonly id: string
    readonly url: string
  }
  const lines = (await readFile(owner.path('.local/state/svc/requests.jsonl'), 'utf8')).trim().split('\n')
  const { requestToken } = JSON.parse(lines.at(-1) ?? '') as { readonly requestToken: string }
  return { id, link: url.replace(server.url, proxy.url), requestToken }
}

const received = async ({ id, requestToken }: Asked) =>
  (await server.client.receivedUploads(id, {}, { requestToken })).results

async function written(names: Readonly<Record<string, number>>): Promise<Readonly<Record<string, Buffer>>> {
  const contents: Record<string, Buffer> = {}
  for (const [name, bytes] of Object.entries(names)) {
    contents[name] = randomBytes(bytes)
    await writeFile(sender.path(name), contents[name])
  }
  return contents
}

/** What the owner fetches from the only upload that has files. */
async function expectFetched(asked: Asked, contents: Readonly<Record<string, Buffer>>): Promise<void> {
  const folder = `inbox-${asked.id}`
  expect(await owner.run(['request', 'get', asked.id, '-o', folder])).toMatchObject({ status: 0 })
  const [only = '', ...others] = await readdir(owner.path(folder))
  expect(others).toEqual([])
  expect((await readdir(owner.path(`${folder}/${only}`))).sort()).toEqual(Object.keys(contents).sort())
  for (const [name, content] of Object.entries(contents))
    expect((await readFile(owner.path(`${folder}/${only}/${name}`))).equals(content)).toBe(true)
}

/** Runs a command until a part of its large file has arrived and the connection is cut, and kills it. */
async function killedAfter(bytes: number, args: readonly string[]): Promise<void> {
  proxy.fail({ kind: 'cut-request', after: bytes }, { when: /^PATCH/ })
  const running = sender.start(args)
  await until('the connection is cut', () => running.stderr().includes('trying again') || undefined)
  running.child.kill('SIGKILL')
  await running.ended
  proxy.heal()
}

const firstOffset = async () => Number((await proxy.seen(/^PATCH \/tus/))['upload-offset'])

test.each([
  ['encrypted', []],
  ['not encrypted', ['--no-encrypt']],
] as const)('the same command goes on in the same upload, %s', async (_way, options) => {
  const asked = await newRequest(...options)
  const contents = await written({ 'big.bin': 6_000_000, small: 1000 })
  const args = ['send', asked.link, 'big.bin', 'small', '--sender', 'Ada']
  await killedAfter(2_000_000, args)
  const offset = firstOffset()
  const { status, stderr, output } = await sender.run(args)
  expect(stderr).toContain('resuming upload')
  expect(status).toBe(0)
  expect(await offset).toBeGreaterThan(0)
  expect(output).toMatch(/big\.bin/)
  expect(await received(asked)).toHaveLength(1)
  expect(await readdir(sender.path('.local/state/svc/unfinished'))).toEqual([])
  await expectFetched(asked, contents)
})

test('svc resume goes on from another folder, without a look at the request', async () => {
  const asked = await newRequest('--max-files', '1')
  const contents = await written({ 'big.bin': 6_000_000 })
  await killedAfter(2_000_000, ['send', asked.link, 'big.bin'])
  const [upload] = await received(asked)
  const listed = (await sender.json(['ls'])) as readonly { readonly state: string }[]
  expect(listed).toMatchObject([{ state: 'unfinished' }])
  expect((await sender.run(['info', upload?.id ?? ''])).output).toMatch(/ big\.bin$/m)
  const { status, output, stderr } = await sender.run(['resume', upload?.id ?? ''], {
    directory: sender.path('.local'),
  })
  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect(output).toContain(`receipt of upload ${upload?.id ?? ''}`)
  await expectFetched(asked, contents)
})

test('a changed file is sent again, a new one too, and one that is gone is removed', async () => {
  const asked = await newRequest()
  await mkdir(sender.path('folder'))
  await written({ 'folder/big.bin': 6_000_000, 'folder/gone.bin': 10 })
  const args = ['send', asked.link, 'folder']
  await killedAfter(2_000_000, args)
  await rm(sender.path('folder/gone.bin'))
  const contents = await written({ 'folder/big.bin': 5_000_000, 'folder/new.bin': 10 })
  const { status, stderr } = await sender.run(args)
  expect(status).toBe(0)
  expect(stderr).toContain('has changed since the upload began; it is sent again')
  expect(stderr).not.toContain('.age')
  expect(stderr).toContain('folder/gone.bin is no longer there; it is removed from the upload')
  const [upload, ...others] = await received(asked)
  expect(others).toEqual([])
  expect(upload?.files.filter(({ status: now }) => now === 'uploaded')).toHaveLength(2)
  expect(Object.keys(contents)).toHaveLength(2)
})

test('other options, another message or another link begin a new upload', async () => {
  const [asked, other] = [await newRequest(), await newRequest()]
  await written({ 'big.bin': 3_000_000 })
  await killedAfter(1_500_000, ['send', asked.link, 'big.bin'])
  for (const args of [
    ['send', other.link, 'big.bin'],
    ['send', asked.link, 'big.bin', '--comments', 'hello'],
  ]) {
    const { status, stderr } = await sender.run(args)
    expect(status).toBe(0)
    expect(stderr).not.toContain('resuming')
  }
})

/** A moment: before a request reaches the server, after it, or within its body. */
const faults = (held: Promise<unknown>): readonly Fault[] => [
  { kind: 'hold', until: held },
  { kind: 'keep-response' },
  { kind: 'cut-request', after: randomInt(3_000_000) },
]

test('killed again and again at random moments, it sends every file once', async () => {
  const asked = await newRequest()
  const contents = await written({ a: 2_000_000, b: 2_000_000, c: 500_000, d: 10, e: 0 })
  const args = ['send', asked.link, ...Object.keys(contents)]
  const story: string[] = []
  for (let round = 0; round < 8; round += 1) {
    const held = Promise.withResolvers<undefined>()
    const kinds = faults(held.promise)
    const fault = kinds[randomInt(kinds.length)] ?? { kind: 'keep-response' }
    const skip = randomInt(8)
    const failed = proxy.fail(fault, { when: /^(?:POST|PATCH)/, skip, times: 1 })
    const running = sender.start(args)
    let isOver = false
    void running.ended.then(() => (isOver = true))
    await until('the fault or the end', () => failed() > 0 || isOver || undefined)
    running.child.kill('SIGKILL')
    await running.ended
    story.push(`${fault.kind} after ${String(skip)}`)
    held.resolve(undefined)
    proxy.heal()
  }
  const { status, stderr } = await sender.run(args)
  expect({ status, stderr }, story.join(', ')).toMatchObject({ status: 0 })
  const uploads = await received(asked)
  const full = uploads.filter(({ files }) => files.filter(({ status: now }) => now === 'uploaded').length > 0)
  for (const { files } of full)
    expect(files.filter(({ status: now }) => now === 'uploaded').length, story.join(', ')).toBe(5)
  expect(await readdir(sender.path('.local/state/svc/unfinished'))).toEqual([])
})

test('what the request refused stays out of a resumed upload', async () => {
  const asked = await newRequest('--extensions', 'bin')
  const { 'big.bin': big = Buffer.of() } = await written({ 'big.bin': 6_000_000, 'other.txt': 10 })
  const args = ['send', asked.link, 'big.bin', 'other.txt', '-y']
  await killedAfter(2_000_000, args)
  const { status, stderr } = await sender.run(args)
  expect([status, stderr]).toEqual([3, expect.stringContaining('resuming upload')])
  await expectFetched(asked, { 'big.bin': big })
})
