import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { mountSkipReason } from '../../../scripts/tests/programs.ts'
import { smallDisk, type SmallDisk } from '../../../server/test/support/machine/small-disk.ts'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let svc: Svc
let proxy: FaultyProxy
let disk: SmallDisk

/** The unit in which the file system of the test gives space to files. */
const pageBytes = 4096
/** Its last byte needs a page more. */
const size = 1000 * pageBytes + 1
const bytes = randomBytes(size)

interface Sent {
  readonly url: string
  readonly files: readonly [{ readonly id: string }]
}

// Only root can create a file system of a given size.
describeUnless(mountSkipReason, 'a disk that fills up during a download', () => {
  beforeAll(async () => {
    server = await startSvcd(await emptyDirectory())
    proxy = await startFaultyProxy(server.url)
    svc = await installSvc(proxy.url)
    await writeFile(svc.path('big.bin'), bytes)
  })
  afterAll(async () => {
    server.kill('SIGKILL')
    await Promise.all([server.ended, proxy.close(), svc.close()])
  })
  beforeEach(async () => {
    disk = await smallDisk(2 * size)
  })
  afterEach(() => disk.remove())

  const got = async () => (await readdir(disk.path)).sort()

  test.each([
    ['a file', 'in its middle', [], size / 2],
    ['a file', 'at its last byte', [], size - 1],
    ['an encrypted file', 'in its middle', ['-s'], size / 2],
    ['an encrypted file', 'at its last byte', ['-s'], size - 1],
  ] as const)('%s that does not fit %s resumes after space is freed', async (_, __, options, space) => {
    const { url, files } = (await svc.json([...options, 'big.bin'])) as Sent
    const request = new RegExp(`^GET /file/\\w+/${files[0].id}`)
    const filled = Promise.withResolvers<undefined>()
    // Another program uses the space that was free when the download began.
    proxy.fail({ kind: 'hold', until: filled.promise }, { when: request, times: 1 })
    const fileRequest = proxy.seen(request)
    const running = svc.start(['get', url, '-o', `${disk.path}/`])
    await fileRequest
    const other = join(disk.path, 'other')
    await writeFile(other, Buffer.alloc(disk.free() - Math.ceil(space / pageBytes) * pageBytes))
    filled.resolve(undefined)
    const { status, output, stderr } = await running.ended
    expect({ status, output }).toEqual({ status: 5, output: '' })
    expect(stderr).toContain('the disk is full')
    expect(stderr).toMatch(/\.part contains the first \d\.\d+ MB.*; run the command again to resume/)
    const [part, ...others] = (await got()).filter((name) => name !== 'other')
    expect([part, others]).toEqual([expect.stringMatching(/^big\.bin\.\w+\.part$/), []])

    const tight = await svc.run(['get', url, '-o', `${disk.path}/`])
    expect(tight).toMatchObject({ status: 5, output: '' })
    expect(tight.stderr).toMatch(/needed, but only .* free/)
    await rm(other)
    const resumed = proxy.seen(request)
    expect(await svc.run(['get', url, '-o', `${disk.path}/`])).toMatchObject({ status: 0 })
    expect((await resumed).range).toMatch(/^bytes=/)
    expect(await got()).toEqual(['big.bin'])
    expect((await readFile(join(disk.path, 'big.bin'))).equals(bytes)).toBe(true)
  })

  test('a disk that lacks a byte is refused with exact numbers, before anything is fetched', async () => {
    const { url, files } = (await svc.json(['big.bin'])) as Sent
    await writeFile(join(disk.path, 'other'), Buffer.alloc(disk.free() - (size - 1)))
    const { status, stderr } = await svc.run(['get', url, '-o', `${disk.path}/`])
    expect(status).toBe(5)
    expect(stderr).toContain(`${String(size)} bytes needed, but only ${String(size - 1)} bytes free`)
    expect(
      proxy.requests.filter((request) => request.startsWith('GET') && request.includes(files[0].id)),
    ).toEqual([])
    expect(await got()).toEqual(['other'])
  })
})
