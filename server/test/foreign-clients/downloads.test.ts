import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/tests/needs.ts'
import type { Package } from '../../../scripts/tests/programs.ts'
import { randomBytes, storeNamedFiles, storeUpload } from '../support/clients/stored-upload.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { startFaultyProxy, type FaultyProxy } from '../support/servers/faulty-proxy.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

const run = promisify(execFile)

/** A program that downloads a link into the file `got` of its working directory. */
interface DownloadClient {
  readonly package: Package
  /** The command with which it continues the file after its last byte. */
  readonly resume: readonly string[]
  /** The arguments with the password of an upload. */
  readonly password: readonly string[]
}

// A test has no time to wait before an attempt, and a proxy of the environment reaches no local server.
const aria2 = ['aria2c', '--quiet', '--no-conf', '--all-proxy=', '--retry-wait=0', '--out=got']

const clients: readonly DownloadClient[] = [
  {
    package: 'curl',
    resume: ['curl', '-fsS', '-C', '-', '-o', 'got'],
    password: ['-u', 'svc:secret word'],
  },
  {
    package: 'wget',
    resume: ['wget', '-q', '-c', '-O', 'got'],
    password: ['--user=svc', '--password=secret word', '--auth-no-challenge'],
  },
  { package: 'aria2', resume: [...aria2, '-c'], password: ['--http-user=svc', '--http-passwd=secret word'] },
]

const bytes = Buffer.from(randomBytes(4_500_000))
const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex')

let server: TestServer
let proxy: FaultyProxy
beforeAll(async () => {
  server = await startTestServer()
  proxy = await startFaultyProxy(server.url)
})
afterAll(async () => {
  await proxy.close()
  await server.close()
})

const inFolder = (folder: string, [command = '', ...args]: readonly string[]) =>
  run(command, args, { cwd: folder, timeout: 120_000 })
const isWhole = async (folder: string) => bytes.equals(await readFile(join(folder, 'got')))

/** The bytes of each download. */
const sentBytes = async ({ upload, uploadToken }: Awaited<ReturnType<typeof storeUpload>>) =>
  (await server.client.downloads(upload.id, {}, { uploadToken })).results.map((download) => download.bytes)

for (const { package: needed, resume, password } of clients)
  describeWith([needed], needed, () => {
    test('continues a partial file', async () => {
      const stored = await storeUpload(server, bytes)
      const folder = await temporaryDirectory()
      await writeFile(join(folder, 'got'), bytes.subarray(0, 3_000_000))
      await inFolder(folder, [...resume, server.url + stored.path])
      expect(await isWhole(folder)).toBe(true)
      // aria2 continues at a multiple of its pieces, after a request from which it learns the length.
      await expect
        .poll(async () => Math.min(...(await sentBytes(stored))), { timeout: 60_000 })
        .toBeLessThan(1_600_000)
    })

    test('downloads a protected file with its password', async () => {
      const { path } = await storeUpload(server, bytes, { password: 'secret word' })
      const folder = await temporaryDirectory()
      await expect(inFolder(folder, [...resume, server.url + path])).rejects.toThrow()
      await inFolder(folder, [...resume, ...password, server.url + path])
      expect(await isWhole(folder)).toBe(true)
    })
  })

describeWith(['aria2'], 'aria2', () => {
  const segments = [...aria2, '-x', '4', '-s', '4', '-k', '1M']

  test('downloads segments of a file in parallel, and verifies its checksum', async () => {
    const stored = await storeUpload(server, bytes)
    const folder = await temporaryDirectory()
    const before = proxy.requests.length
    await inFolder(folder, [...segments, `--checksum=md5=${stored.file.md5}`, proxy.url + stored.path])
    expect(await isWhole(folder)).toBe(true)
    expect(proxy.requests.slice(before).length).toBeGreaterThan(1)
  })

  test('refuses a file whose checksum differs', async () => {
    const { path } = await storeUpload(server, bytes)
    const wrong = digest('sha256').replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    const folder = await temporaryDirectory()
    // 32: checksum validation failed.
    await expect(
      inFolder(folder, [...segments, `--checksum=sha-256=${wrong}`, server.url + path]),
    ).rejects.toMatchObject({ code: 32 })
  })

  test('repeats segments whose connections are cut', async () => {
    const { path } = await storeUpload(server, bytes)
    const folder = await temporaryDirectory()
    const cut = proxy.fail({ kind: 'cut-response', after: 300_000 }, { when: /^GET/, times: 3 })
    await inFolder(folder, [...segments, '--max-tries=9', proxy.url + path])
    proxy.heal()
    expect([cut(), await isWhole(folder)]).toEqual([3, true])
  })

  test('downloads a one-shot file, in one connection', async () => {
    const { path } = await storeUpload(server, bytes, { oneShot: true })
    const folder = await temporaryDirectory()
    await inFolder(folder, [...segments, server.url + path])
    expect(await isWhole(folder)).toBe(true)
    // 3: resource not found.
    await expect
      .poll(() => inFolder(folder, [...segments, '--out=again', server.url + path]).catch(codeOf), {
        timeout: 60_000,
      })
      .toBe(3)
  })

  test('downloads the files of a list of links at the same time', async () => {
    const names = ['a.txt', 'b.txt', 'c.txt']
    const { path } = await storeNamedFiles(server, names)
    const folder = await temporaryDirectory()
    await writeFile(join(folder, 'links'), names.map((name) => server.url + path + name).join('\n'))
    await inFolder(folder, ['aria2c', '--quiet', '--no-conf', '--all-proxy=', '-i', 'links', '-d', 'files'])
    const files = join(folder, 'files')
    expect((await readdir(files)).toSorted()).toEqual(names)
    for (const name of names) expect(await readFile(join(files, name), 'utf8')).toBe(name)
  })
})

const codeOf = (error: unknown) => (error as { readonly code: number }).code
