import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { mountSkipReason } from '../../../scripts/tests/programs.ts'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { namesOf } from '../support/encrypted.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** Downloads that decrypt while they are written. */
let server: Svcd
let proxy: FaultyProxy
let svc: Svc
const run = promisify(execFile)

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

const chunk = 65_536
const size = 6_000_000

/** Uploads random bytes, encrypted. */
async function stored(bytes: Uint8Array, ...options: readonly string[]): Promise<string> {
  await writeFile(svc.path('sent'), bytes)
  return (await svc.run(['-s', '-q', '--link', 'page', ...options, 'sent'])).output.trim()
}

const partOf = async (name: string) =>
  (await namesOf(svc, name)).find((fileName) => fileName.endsWith('.part')) ?? ''

/** Runs a download until a part of the content is written, and kills it. */
async function killed(link: string): Promise<string> {
  const running = svc.start(['get', link, '-o', 'back', '--limit-rate', '1MB'])
  await until('a part is written', async () => {
    const part = await partOf('back')
    return part !== '' && (await stat(svc.path(part))).size > 3 * chunk
  })
  running.child.kill('SIGKILL')
  await running.ended
  return svc.path(await partOf('back'))
}

test('only decrypted content is written', async () => {
  const bytes = randomBytes(size)
  const part = await killed(await stored(bytes))
  const content = await readFile(part)
  expect(content.equals(bytes.subarray(0, content.length))).toBe(true)
  expect((await readdir(svc.directory)).filter((name) => name.startsWith('back'))).toHaveLength(1)
})

describe('a download that was killed', () => {
  test('goes on behind the last whole chunk', async () => {
    const bytes = randomBytes(size)
    const link = await stored(bytes)
    const part = await killed(link)
    await truncate(part, 5 * chunk + 100)
    const sent = proxy.requests.length
    const rest = proxy.seen(/^GET \/file(?!.*manifest)/)
    expect(await svc.run(['get', link, '-o', 'back'])).toMatchObject({ status: 0 })
    expect((await rest).range).toBe('bytes=0-4095')
    expect(
      proxy.requests.slice(sent).filter((request) => request.startsWith('GET /file')).length,
    ).toBeLessThan(6)
    expect((await readFile(svc.path('back'))).equals(bytes)).toBe(true)
    expect(await namesOf(svc, 'back')).toEqual(['back'])
  })

  test('transfers only the rest', async () => {
    const bytes = randomBytes(size)
    const link = await stored(bytes)
    await killed(link)
    proxy.fail({ kind: 'cut-response', after: size - 2 * chunk }, { when: /^GET \/file/ })
    // The rest is shorter than what the proxy lets pass of a response; the whole file is not.
    expect(await svc.run(['get', link, '-o', 'back', '--retries', '0'])).toMatchObject({ status: 0 })
    expect((await readFile(svc.path('back'))).equals(bytes)).toBe(true)
  })

  test('begins again where the file is another one', async () => {
    const link = await stored(randomBytes(size))
    const part = await killed(link)
    const other = randomBytes(size)
    const otherLink = await stored(other)
    expect(await svc.run(['get', otherLink, '-o', 'back'])).toMatchObject({ status: 0 })
    expect((await readFile(svc.path('back'))).equals(other)).toBe(true)
    expect((await stat(part)).size).toBeGreaterThan(0)
  })
})

test.each([0, 1, chunk - 1, chunk, chunk + 1, 40 * chunk])('a file of %i bytes arrives', async (length) => {
  const bytes = randomBytes(length)
  const link = await stored(bytes)
  for (const options of [[], ['--no-verify']])
    expect(await svc.run(['get', link, '-o', 'back', '-y', ...options])).toMatchObject({ status: 0 })
  expect((await readFile(svc.path('back'))).equals(bytes)).toBe(true)
})

test('a download that is cut twenty times arrives complete', async () => {
  const bytes = randomBytes(size)
  const link = await stored(bytes)
  for (let count = 0; count < 20; count += 1)
    proxy.fail({ kind: 'cut-response', after: 1 + count * 9_001 }, { when: /^GET \/file/, times: 1 })
  expect(await svc.run(['get', link, '-o', 'back'])).toMatchObject({ status: 0 })
  expect((await readFile(svc.path('back'))).equals(bytes)).toBe(true)
})

test('a one-shot file goes on after a cut', async () => {
  const bytes = randomBytes(30_000_000)
  const link = await stored(bytes, '-o')
  proxy.fail({ kind: 'cut-response', after: 1_000_000 }, { when: /^GET \/file/, times: 1 })
  expect(await svc.run(['get', link, '-o', 'back'])).toMatchObject({ status: 0 })
  expect((await readFile(svc.path('back'))).equals(bytes)).toBe(true)
})

test('Ctrl-C keeps the content so far, and says so', async () => {
  const link = await stored(randomBytes(size))
  const running = svc.start(['get', link, '-o', 'back', '--limit-rate', '1MB'])
  await until('a part is written', async () => (await partOf('back')) !== '')
  running.child.kill('SIGINT')
  const { status, stderr } = await running.ended
  expect({ status, stderr }).toEqual({
    status: 130,
    stderr: expect.stringMatching(
      /back\.\w{16}\.part contains the first .*, decrypted; run the command again/,
    ) as string,
  })
})

test('a link in the place of the partial file is not followed', async () => {
  const link = await stored(randomBytes(size))
  const part = await killed(link)
  await run('mv', [part, svc.path('elsewhere')])
  await symlink('elsewhere', part)
  const before = await readFile(svc.path('elsewhere'))
  expect(await svc.run(['get', link, '-o', 'back'])).toMatchObject({ status: 5 })
  expect((await readFile(svc.path('elsewhere'))).equals(before)).toBe(true)
})

// Only root can create a file system of a given size.
describeUnless(mountSkipReason, 'a disk with space for one copy of the file', () => {
  test('is enough', async () => {
    const bytes = randomBytes(size)
    const link = await stored(bytes)
    await run('mkdir', [svc.path('disk')])
    await run('mount', ['-t', 'tmpfs', '-o', 'size=8388608', 'tmpfs', svc.path('disk')])
    try {
      expect(await svc.run(['get', link, '-o', 'disk/back'])).toMatchObject({ status: 0 })
      expect((await readFile(svc.path('disk/back'))).equals(bytes)).toBe(true)
    } finally {
      await run('umount', [svc.path('disk')])
    }
  })
})
