import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { userToken } from '@svc/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { temporaryDirectory } from '../../../server/test/support/machine/temporary-directory.ts'
import { until } from '../../../server/test/support/until.ts'
import { startServer, startTusServer } from '../support/foreign-servers.ts'
import { startPlikServer, type PlikServer } from '../support/plik-server.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** Uploads to servers that are not Svc. */
const bytes = randomBytes(12_000_000)
let svc: Svc
beforeEach(async () => {
  svc = await installSvc()
  await writeFile(svc.path('big.bin'), bytes)
  await writeFile(svc.path('small.txt'), 'hello\n')
})
afterEach(() => svc.close())

describe('a server of tus', () => {
  let store: string
  let proxy: FaultyProxy
  let close: () => Promise<void>
  beforeAll(async () => {
    store = await temporaryDirectory()
    const server = await startTusServer(store)
    proxy = await startFaultyProxy(server.url)
    close = async () => {
      await proxy.close()
      await server[Symbol.asyncDispose]()
    }
  })
  afterAll(() => close())
  afterEach(() => {
    proxy.heal()
  })
  const to = () => `tus+${proxy.url}/files`
  const stored = (link: string) => readFile(join(store, link.trim().split('/').at(-1) ?? ''))
  const metadata = async (link: string) =>
    JSON.parse(await readFile(join(store, `${link.trim().split('/').at(-1) ?? ''}.json`), 'utf8')) as unknown

  test('gets files with their names, and the links are printed', async () => {
    await writeFile(svc.path('empty'), '')
    const { status, output } = await svc.run(['big.bin', 'small.txt', 'empty', '--to', to()])
    const [big = '', small = '', empty = ''] = output.trimEnd().split('\n')
    expect(status).toBe(0)
    expect((await stored(big)).equals(bytes)).toBe(true)
    expect((await stored(small)).toString()).toBe('hello\n')
    expect(await stored(empty)).toHaveLength(0)
    expect(await metadata(small)).toMatchObject({ metadata: { filename: 'small.txt' } })
  })

  test('continues after cut connections', async () => {
    proxy.fail({ kind: 'cut-request', after: 3_000_000 }, { when: /^PATCH/, times: 3 })
    const { output } = await svc.run(['big.bin', '--to', to()])
    expect((await stored(output)).equals(bytes)).toBe(true)
  })

  test('continues in another run, in the same file', async () => {
    const before = await readdir(store)
    const running = svc.start(['big.bin', '--to', to(), '--limit-rate', '4MB'])
    const begun = await until('a part has arrived', async () => {
      const [name = ''] = (await readdir(store)).filter(
        (entry) => !before.includes(entry) && !entry.endsWith('.json'),
      )
      return name !== '' && (await readFile(join(store, name))).length > 1_000_000 ? name : undefined
    })
    running.child.kill('SIGKILL')
    await running.ended
    const { output } = await svc.run(['big.bin', '--to', to()])
    expect(output.trim().split('/').at(-1)).toBe(begun)
    expect((await stored(output)).equals(bytes)).toBe(true)
    // What is complete is not continued.
    expect((await svc.run(['big.bin', '--to', to()])).output).not.toBe(output)
  })

  test('gets a pipe whose length is unknown', async () => {
    proxy.fail({ kind: 'cut-request', after: 1_000_000 }, { when: /^PATCH/, times: 1 })
    const { status, output } = await svc.run(['-', '-n', 'piped', '--to', to()], { input: bytes })
    expect(status).toBe(0)
    expect((await stored(output)).equals(bytes)).toBe(true)
    await mkdir(svc.path('tree'))
    await writeFile(svc.path('tree/x'), 'x')
    const archive = await svc.run(['tree', '-a', 'tar', '--to', to()])
    expect(archive.status).toBe(0)
    expect((await stored(archive.output)).includes('tree/x')).toBe(true)
  })

  test('gets an encrypted file, which svc get decrypts', async () => {
    const { output } = await svc.run(['-s', '-q', 'big.bin', '--to', to()])
    expect(output).toContain('#key=')
    expect(await svc.run(['get', output.trim(), '-o', 'back'])).toMatchObject({ status: 0 })
    expect((await readFile(svc.path('back'))).equals(bytes)).toBe(true)
  })

  test.each([
    [['--oneshot'], '--oneshot cannot be used'],
    [['--ttl', '1h'], '--ttl cannot be used'],
    [['--link', 'page'], 'there is no page'],
    [['--server', 'https://svc.example'], 'cannot be combined'],
  ])('refuses %j, which it would ignore', async (options, words) => {
    const { status, stderr } = await svc.run(['small.txt', '--to', to(), ...options])
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(words) as string })
  })
})

test('an address of an unknown protocol, or none, is an error of the command line', async () => {
  for (const address of ['https://host/', 'ftp+https://host/', 'tus+nonsense', 'tus+file:///etc'])
    expect(await svc.run(['small.txt', '--to', address])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--to must be an address such as') as string,
    })
})

describe('a server that takes PUT', () => {
  interface Put {
    readonly path: string
    readonly headers: IncomingHttpHeaders
    readonly md5: string
  }
  const started = async (puts: Put[], failures = 0) => {
    let left = failures
    return startServer((request, response) => {
      if ((left -= 1) >= 0) {
        response.writeHead(503).end('busy')
        return
      }
      void buffer(request).then((body) => {
        puts.push({
          path: `${String(request.method)} ${String(request.url)}`,
          headers: request.headers,
          md5: createHash('md5').update(body).digest('hex'),
        })
        response
          .writeHead(200, { 'x-url-delete': 'https://share.example/T0ken/small.txt/D3lete' })
          .end(`https://share.example/T0ken${String(request.url)}\n`)
      })
    })
  }
  const md5 = createHash('md5').update(bytes).digest('hex')

  test('gets the files, and the links that it responds with are printed', async () => {
    const puts: Put[] = []
    await using server = await started(puts, 1)
    const { status, output } = await svc.run(['big.bin', '--to', `put+${server.url}/`])
    expect({ status, output }).toEqual({ status: 0, output: 'https://share.example/T0ken/big.bin\n' })
    expect(puts).toMatchObject([{ path: 'PUT /big.bin', md5, headers: { 'content-length': '12000000' } }])
  })

  test('gets the options of transfer.sh, and the JSON output has what it responds', async () => {
    const puts: Put[] = []
    await using server = await started(puts)
    const options = ['--downloads', '3', '--ttl', '36h', '--token', 'T', '--json']
    const { output, stderr } = await svc.run(['small.txt', '--to', `put+${server.url}/`, ...options])
    expect(stderr).toContain('other servers may ignore')
    expect(puts).toMatchObject([
      { headers: { 'max-downloads': '3', 'max-days': '2', authorization: 'Bearer T' } },
    ])
    expect(JSON.parse(output)).toEqual({
      files: [
        {
          name: 'small.txt',
          url: 'https://share.example/T0ken/small.txt',
          deleteURL: 'https://share.example/T0ken/small.txt/D3lete',
          size: 6,
          status: 'sent',
        },
      ],
      notSent: [],
    })
  })

  test('gets a pipe and an encrypted file', async () => {
    const puts: Put[] = []
    await using server = await started(puts)
    await svc.run(['-', '-n', 'ä b', '--to', `put+${server.url}/`], { input: bytes })
    expect(puts).toMatchObject([{ path: 'PUT /%C3%A4%20b', md5 }])
    const { output } = await svc.run(['-s', '-q', 'small.txt', '--to', `put+${server.url}/`])
    expect(output).toMatch(/^https:\/\/share\.example\/T0ken\/small\.txt\.age#key=\S+\n$/)
  })

  test('a refusal is reported with its words, and nothing is printed', async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(403).end('go away\x1b[2J'),
    )
    const { status, output, stderr } = await svc.run(['small.txt', '--to', `put+${server.url}/`])
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(stderr).toMatch(/^small\.txt: http:\S+\/small\.txt responded with 403 Forbidden: go away/)
    expect(stderr).not.toContain('\x1b')
  })

  test('files of one name are refused', async () => {
    await mkdir(svc.path('tree'))
    await writeFile(svc.path('tree/small.txt'), 'other')
    await using server = await started([])
    expect(await svc.run(['small.txt', 'tree', '--to', `put+${server.url}/`])).toMatchObject({ status: 2 })
  })
})

describe('a server of Plik', () => {
  let plik: PlikServer
  beforeEach(async () => {
    plik = await startPlikServer()
  })
  afterEach(() => plik[Symbol.asyncDispose]())

  test('gets files with their options and the token, and svc shows, downloads and deletes them', async () => {
    const options = ['--ttl', '1h', '--removable', '--token', 'plik_token', '-p', 'ada:secret']
    const { status, output, stderr } = await svc.run([
      'big.bin',
      'small.txt',
      '--to',
      `plik+${plik.url}`,
      ...options,
    ])
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) as string })
    const link = output.trim()
    const [stored] = plik.uploads.values()
    expect(stored).toMatchObject({ token: 'plik_token', options: { ttl: 3600, removable: true } })
    expect(stored?.files.map((file) => file.bytes.length)).toEqual([bytes.length, 6])
    expect(await svc.json(['info', link])).toMatchObject({
      files: [{ md5: expect.any(String) as string }, {}],
    })
    // Another computer needs the password.
    const environment = { XDG_STATE_HOME: svc.path('elsewhere') }
    expect(await svc.run(['get', link, '-o', 'back'], { environment })).toMatchObject({ status: 1 })
    await svc.run(['get', link, '-o', 'back/', '-p', 'ada:secret'], { environment })
    expect((await readFile(svc.path('back/big.bin'))).equals(bytes)).toBe(true)
    expect(await svc.run(['rm', link])).toMatchObject({ status: 0 })
    expect(plik.uploads.size).toBe(0)
  })

  test.each([['--downloads=3'], ['--encrypt']])('that does not know %s gets no byte', async (option) => {
    const { status, stderr } = await svc.run(['small.txt', '--to', `plik+${plik.url}`, option])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('nothing was sent') as string,
    })
    expect(plik.uploads.size).toBe(0)
  })

  test('gets no token of the environment', async () => {
    const environment = { SVC_TOKEN: userToken('a'.repeat(30)) }
    expect(await svc.run(['small.txt', '--to', `plik+${plik.url}`], { environment })).toMatchObject({
      status: 0,
    })
    expect([...plik.uploads.values()].map(({ token }) => token)).toEqual([''])
  })
})
