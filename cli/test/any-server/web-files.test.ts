import { createHash, randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { temporaryDirectory } from '../../../server/test/support/machine/temporary-directory.ts'
import { startNginx, startPythonServer, startServer, type ForeignServer } from '../support/foreign-servers.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** Files of web servers that are not Svc. */
const execute = promisify(execFile)
const bytes = randomBytes(20_000_000)
let svc: Svc
beforeEach(async () => {
  svc = await installSvc()
})
afterEach(() => svc.close())

const content = (name: string) => readFile(svc.path(name))
const partial = async () => (await readdir(svc.directory)).filter((name) => name.endsWith('.part'))
const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('base64')

describeWith(['nginx-light'], 'nginx', () => {
  let root: string
  let nginx: ForeignServer
  let proxy: FaultyProxy
  beforeAll(async () => {
    root = await temporaryDirectory()
    await writeFile(`${root}/big.bin`, bytes)
    await writeFile(`${root}/a b%c.txt`, 'hello\n')
    nginx = await startNginx(await temporaryDirectory(), root, 'location = /moved { return 302 /big.bin; }')
  })
  afterAll(() => nginx[Symbol.asyncDispose]())
  beforeEach(async () => {
    proxy = await startFaultyProxy(nginx.url)
  })
  afterEach(() => proxy.close())

  test('a file is saved under the name of its address, with one request', async () => {
    expect(await svc.run(['get', `${proxy.url}/a%20b%25c.txt`])).toMatchObject({
      status: 0,
      output: `${svc.path('a b%c.txt')}\n`,
    })
    expect((await content('a b%c.txt')).toString()).toBe('hello\n')
    expect(proxy.requests).toEqual(['GET /a%20b%25c.txt'])
  })

  test('a redirect is followed, and -o names the file', async () => {
    await svc.run(['get', `${proxy.url}/moved`, '-o', 'named'])
    expect((await content('named')).equals(bytes)).toBe(true)
  })

  test('a cut download continues where it was, also in another run', async () => {
    proxy.fail({ kind: 'end-response', after: 3_000_000 }, { when: /^GET/, times: 1 })
    expect(await svc.run(['get', `${proxy.url}/big.bin`, '--retries', '0'])).toMatchObject({ status: 4 })
    expect(await partial()).toHaveLength(1)
    // The first request of a run reads the headers; the rest is requested with what they state.
    const rest = proxy.seen(/^GET/).then(() => proxy.seen(/^GET/))
    await svc.run(['get', `${proxy.url}/big.bin`])
    expect(await rest).toMatchObject({ range: 'bytes=3000000-', 'if-range': expect.any(String) as string })
    expect((await content('big.bin')).equals(bytes)).toBe(true)
    expect(await partial()).toEqual([])
  })

  test('a download that is cut ten times arrives complete', async () => {
    for (let count = 0; count < 10; count += 1)
      proxy.fail({ kind: 'cut-response', after: 1_500_000 }, { when: /^GET/, times: 1 })
    expect(await svc.run(['get', `${proxy.url}/big.bin`])).toMatchObject({ status: 0 })
    expect((await content('big.bin')).equals(bytes)).toBe(true)
  })

  test('several connections share a file, and a cut of one repeats only its part', async () => {
    proxy.fail({ kind: 'cut-response', after: 100_000 }, { when: /^GET/, times: 1, skip: 2 })
    expect(await svc.run(['get', `${proxy.url}/big.bin`, '--jobs', '4'])).toMatchObject({ status: 0 })
    expect((await content('big.bin')).equals(bytes)).toBe(true)
    // One for the headers, five parts, and one again.
    expect(proxy.requests).toHaveLength(7)
  })

  test('a file that has changed between two runs is not mixed with the earlier one', async () => {
    await writeFile(`${root}/changing.bin`, bytes.subarray(0, 8_000_000))
    proxy.fail({ kind: 'end-response', after: 3_000_000 }, { when: /^GET/, times: 1 })
    await svc.run(['get', `${proxy.url}/changing.bin`, '--retries', '0'])
    const other = randomBytes(8_000_000)
    await writeFile(`${root}/changing.bin`, other)
    await execute('touch', ['-d', '2001-01-01', `${root}/changing.bin`])
    await svc.run(['get', `${proxy.url}/changing.bin`])
    expect((await content('changing.bin')).equals(other)).toBe(true)
  })

  test('a missing file is reported as the server says it', async () => {
    const { status, stderr } = await svc.run(['get', `${proxy.url}/nothing`])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `svc: ${proxy.url}/nothing responded with 404 Not Found\n`,
    })
  })

  test('the output is that of the file, and nothing else', async () => {
    expect(await svc.run(['get', `${proxy.url}/a%20b%25c.txt`, '-o', '-'])).toMatchObject({
      status: 0,
      output: 'hello\n',
    })
  })

  test('an archive is unpacked', async () => {
    await mkdir(svc.path('tree'))
    await writeFile(svc.path('tree/x'), 'x')
    await execute('tar', ['-C', svc.directory, '-czf', `${root}/tree.tar.gz`, 'tree'])
    await svc.run(['get', `${proxy.url}/tree.tar.gz`, '-x', '-o', 'out'])
    expect((await content('out/tree/x')).toString()).toBe('x')
  })
})

describeWith(['python3'], 'a server without ranges', () => {
  test('is read from the beginning after a cut, and the file arrives complete', async () => {
    const root = await temporaryDirectory()
    await writeFile(`${root}/big.bin`, bytes)
    await using python = await startPythonServer(root)
    const proxy = await startFaultyProxy(python.url)
    proxy.fail({ kind: 'cut-response', after: 3_000_000 }, { when: /^GET/, times: 2 })
    expect(await svc.run(['get', `${proxy.url}/big.bin`, '--jobs', '3'])).toMatchObject({ status: 0 })
    expect((await content('big.bin')).equals(bytes)).toBe(true)
    await proxy.close()
  })
})

describe('checksums of responses', () => {
  const stating = (headers: Readonly<Record<string, string>>) =>
    startServer((_request, response) => response.writeHead(200, headers).end('hello\n'))
  const good = sha256(Buffer.from('hello\n'))
  const bad = sha256(Buffer.from('other\n'))

  test.each([
    ['repr-digest', `sha-256=:${good}:`, `sha-256=:${bad}:`],
    ['content-digest', `sha-512=:xx:, sha-256=:${good}:`, `sha-256=:${bad}:`],
    ['digest', `SHA-256=${good}`, `unixsum=30637,SHA-256=${bad}`],
    ['content-md5', 'sZRqySSS0jR8YjW00mERhA==', 'AAAAAAAAAAAAAAAAAAAAAA=='],
  ])('%s is verified', async (name, right, wrong) => {
    {
      await using server = await stating({ [name]: right })
      const { status } = await svc.run(['get', `${server.url}/f`, '-o', 'right'])
      expect(status).toBe(0)
    }
    await using server = await stating({ [name]: wrong })
    const { status, stderr } = await svc.run(['get', `${server.url}/f`, '-o', 'wrong'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/differ from the file on the server \((SHA-256|MD5) differs\)/)
    expect(await partial()).toEqual([])
    expect(await svc.run(['get', `${server.url}/f`, '-o', 'wrong', '--no-verify'])).toMatchObject({
      status: 0,
    })
  })

  test('are part of the JSON output', async () => {
    await using server = await stating({ 'repr-digest': `sha-256=:${good}:` })
    expect(await svc.json(['get', `${server.url}/f`])).toMatchObject([
      { size: 6, verified: 'sha256', sha256: createHash('sha256').update('hello\n').digest('hex') },
    ])
    expect(await svc.json(['get', `${server.url}/f`])).toMatchObject([{ status: 'present' }])
  })
})

describe('encrypted files', () => {
  const encrypted = async (...options: readonly string[]) => {
    await writeFile(svc.path('plain'), bytes)
    await execute('age', [...options, '-o', svc.path('secret.age'), svc.path('plain')])
    const file = await content('secret.age')
    return startServer((request, response) => {
      const [, from] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? []
      const range = {
        'content-range': `bytes ${from ?? '0'}-${String(file.length - 1)}/${String(file.length)}`,
      }
      response.writeHead(from === undefined ? 200 : 206, {
        etag: '"one"',
        'content-length': file.length - Number(from ?? 0),
        ...(from !== undefined && range),
      })
      response.end(file.subarray(Number(from ?? 0)))
    })
  }

  describeWith(['age'], 'of age', () => {
    let recipient: string
    beforeEach(async () => {
      const { stderr } = await execute('age-keygen', ['-o', svc.path('key.txt')])
      recipient = /age1\w+/.exec(stderr)?.[0] ?? ''
    })

    test.each([[[]], [['--armor']]])('are decrypted with an identity %j', async (options) => {
      await using server = await encrypted('-r', recipient, ...options)
      await svc.run(['get', `${server.url}/report.age`, '-i', 'key.txt'])
      expect((await content('report')).equals(bytes)).toBe(true)
    })

    test.each([[[]], [['--armor']]])('leave nothing behind with another identity %j', async (options) => {
      await using server = await encrypted('-r', recipient, ...options)
      await execute('age-keygen', ['-o', svc.path('other.txt')])
      expect(await svc.run(['get', `${server.url}/report.age`, '-i', 'other.txt'])).toMatchObject({
        status: 6,
      })
      expect(await partial()).toEqual([])
    })

    test('stay as they are with --no-decrypt, and need a key otherwise', async () => {
      await using server = await encrypted('-r', recipient)
      const { status, stderr } = await svc.run(['get', `${server.url}/report.age`])
      expect({ status, stderr }).toEqual({
        status: 6,
        stderr: expect.stringContaining('--no-decrypt') as string,
      })
      await svc.run(['get', `${server.url}/report.age`, '--no-decrypt'])
      expect((await content('report.age')).equals(await content('secret.age'))).toBe(true)
    })
  })

  test('are expected when a key is given', async () => {
    await using server = await startServer((_request, response) => response.end('plain'))
    const { status, stderr } = await svc.run(['get', `${server.url}/f#key=secret`])
    expect({ status, stderr }).toEqual({
      status: 6,
      stderr: expect.stringContaining('not encrypted, but the link has a key') as string,
    })
  })
})
