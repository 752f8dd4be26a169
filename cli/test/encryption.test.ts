import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import type { Upload } from '@svc/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../server/test/support/faulty-proxy.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../server/test/support/svcd.ts'
import { until } from '../../server/test/support/until.ts'
import { installSvc, type Svc } from './support/svc.ts'

const run = promisify(execFile)
/** Missing programs fail the tests where everything must be there. */
const isSkipped = !existsSync('/usr/bin/age') && env['SVC_TEST_SERVERS'] !== 'all'
const answer = join(import.meta.dirname, '../../encryption/test/answer-age.py')
const chunk = 65_536

let server: Svcd
let proxy: FaultyProxy
let svc: Svc
let recipient: string
let settings: Readonly<Record<string, string>>

beforeAll(async () => {
  settings = { LISTEN_PORT: String(await freePort()), LOG_LEVEL: 'debug' }
  server = await startSvcd(await emptyDirectory(), settings)
  svc = await installSvc(server.url)
  if (isSkipped) return
  await run('age-keygen', ['-o', svc.path('key.txt')])
  recipient = (await run('age-keygen', ['-y', svc.path('key.txt')])).stdout.trim()
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})
beforeEach(async () => {
  proxy = await startFaultyProxy(server.url)
})
afterEach(() => proxy.close())

const content = (name: string) => readFile(svc.path(name))
const inShell = (command: string, folder: string) => run('sh', ['-c', command], { cwd: svc.path(folder) })

interface Told {
  readonly id: string
  readonly url: string
  readonly passphrase?: string
  readonly files: readonly { readonly size: number; readonly url: string }[]
}

/** An upload whose only file is already encrypted, or claims to be. */
async function stored(bytes: Uint8Array, oneShot = false): Promise<Upload> {
  const upload = await server.client.createUpload({ e2ee: 'age', oneShot })
  const { uploadToken } = upload
  await server.client.addFile(upload.id, new Blob([Uint8Array.from(bytes)]), { fileName: 'f', uploadToken })
  return upload
}

/** What is there of a download. */
const namesOf = async (prefix: string) =>
  (await readdir(svc.directory)).filter((name) => name.startsWith(prefix)).sort()

describe.skipIf(isSkipped)('with the age command', () => {
  test('the lines that are printed decrypt files of any size, in their folders', async () => {
    const sizes = [1, chunk - 1, chunk, chunk + 1, 4 * chunk]
    await mkdir(svc.path('sizes'))
    for (const size of sizes) await writeFile(svc.path(`sizes/${String(size)}`), randomBytes(size))
    const { status, output } = await svc.run(['sizes', '--recipient', recipient])
    expect(status).toBe(0)
    const [, , ...lines] = output.trim().split('\n')
    await mkdir(svc.path('back'))
    await writeFile(svc.path('back/key.txt'), await content('key.txt'))
    for (const line of lines) {
      expect(line).toContain('| age --decrypt -i key.txt -o sizes/')
      await inShell(line.replace('curl ', 'curl -s '), 'back')
    }
    for (const size of sizes)
      expect(
        Buffer.compare(await content(`back/sizes/${String(size)}`), await content(`sizes/${String(size)}`)),
      ).toBe(0)
  })

  test('an archive is decrypted and unpacked in one line', async () => {
    await mkdir(svc.path('tree'))
    await writeFile(svc.path('tree/a.txt'), 'hello\n'.repeat(50_000))
    await writeFile(svc.path('keys'), `# ada\n${recipient}\n`)
    const { output } = await svc.run(['tree', '-a', 'tar.gz', '--recipient', 'keys'])
    const line = output.trim().split('\n').at(-1) ?? ''
    expect(line).toMatch(/\| age --decrypt -i key\.txt \| tar xz$/)
    await mkdir(svc.path('unpacked'))
    await inShell(line.replace('key.txt', '../key.txt').replace('curl ', 'curl -s '), 'unpacked')
    expect((await content('unpacked/tree/a.txt')).toString()).toBe('hello\n'.repeat(50_000))
  })

  test('a passphrase opens it in both directions', async () => {
    const passphrase = 'correct horse é & co'
    await writeFile(svc.path('ours'), randomBytes(3 * chunk))
    const environment = { SVC_PASSPHRASE: passphrase }
    const { output } = await svc.run(['-q', '-s', 'ours'], { environment })
    expect(output.trim()).toMatch(/#key=correct%20horse%20%C3%A9%20%26%20co$/)
    await svc.run(['get', output.trim(), '--no-decrypt', '-o', 'ours.age'])
    await run('python3', [
      answer,
      passphrase,
      '/usr/bin/age',
      '-d',
      '-o',
      svc.path('ours.back'),
      svc.path('ours.age'),
    ])
    expect(Buffer.compare(await content('ours.back'), await content('ours'))).toBe(0)
    await run('python3', [
      answer,
      passphrase,
      '/usr/bin/age',
      '-p',
      '-o',
      svc.path('theirs.age'),
      svc.path('ours'),
    ])
    const { id } = await stored(await content('theirs.age'))
    expect(await svc.json(['get', id, '-o', 'theirs', '--passphrase', passphrase])).toMatchObject([
      { status: 'downloaded', decrypted: true },
    ])
    expect(Buffer.compare(await content('theirs'), await content('ours'))).toBe(0)
  })

  test.each([[0], [1], [chunk - 1], [chunk], [chunk + 1], [70 * chunk + 9]])(
    '%i bytes that age encrypted come back, to a file and to standard output',
    async (size) => {
      await writeFile(svc.path('plain'), randomBytes(size))
      await run('age', ['-r', recipient, '-o', svc.path('plain.age'), svc.path('plain')])
      const { id } = await stored(await content('plain.age'))
      await rm(svc.path('back.bin'), { force: true })
      expect(await svc.run(['get', id, '-i', 'key.txt', '-o', 'back.bin'])).toMatchObject({ status: 0 })
      expect(Buffer.compare(await content('back.bin'), await content('plain'))).toBe(0)
      expect(await namesOf('back.bin')).toEqual(['back.bin'])
      const { status } = await run(
        'sh',
        ['-c', `${process.execPath} svc.mjs get ${id} -i key.txt -o - --server ${server.url} | cmp - plain`],
        { cwd: svc.directory },
      ).then(() => ({ status: 0 }))
      expect(status).toBe(0)
    },
  )

  test('an SSH key is a recipient, and its private half opens it', async () => {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', svc.path('id')])
    await writeFile(svc.path('note'), 'for your eyes')
    const { output } = await svc.run(['note', '--recipient', 'id.pub'])
    expect(output).toContain('| age --decrypt -i ~/.ssh/id_ed25519 -o note')
    const [page = ''] = output.split('\n')
    expect(await svc.run(['get', page, '-i', 'id', '-o', '-'])).toMatchObject({ output: 'for your eyes' })
    expect(await svc.run(['get', page, '-i', 'key.txt', '-o', 'stranger'])).toMatchObject({ status: 6 })
  })
})

test('neither a byte of the content nor what opens it reaches the server', async () => {
  const canary = `canary-${randomBytes(16).toString('hex')}`
  await writeFile(svc.path('secret.txt'), `${canary}\n`.repeat(5_000))
  const { url, passphrase = '', files } = (await svc.json(['-s', 'secret.txt'])) as Told
  expect(url).toContain(`#key=${passphrase}`)
  expect(await svc.run(['get', url, '-o', 'known.txt'])).toMatchObject({ status: 0 })
  expect(Buffer.compare(await content('known.txt'), await content('secret.txt'))).toBe(0)
  const there = await readdir(server.directory, { recursive: true, withFileTypes: true })
  const kept = await Promise.all(
    there.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  )
  // What is looked through has the file in it.
  expect(kept.some((bytes) => bytes.length === files[0]?.size)).toBe(true)
  for (const secret of [canary, passphrase])
    for (const bytes of [...kept, Buffer.from(server.log() + server.output())])
      expect(bytes.includes(secret)).toBe(false)
})

test('standard input, one-shot, streams and several files go encrypted', async () => {
  const { output } = await svc.run(['-', '-n', 'dump', '-s', '-o', '-q'], { input: 'select 1' })
  expect(await svc.run(['get', output.trim(), '-o', '-'])).toMatchObject({ status: 0, output: 'select 1' })
  await writeFile(svc.path('one'), '1')
  await writeFile(svc.path('none'), '')
  const { url } = (await svc.json(['-s', 'one', 'none'])) as Told
  expect(await svc.json(['get', url, '-o', 'both/'])).toMatchObject([
    { decrypted: true, status: 'downloaded' },
    { decrypted: true, status: 'downloaded' },
  ])
  expect([(await content('both/one')).toString(), (await content('both/none')).length]).toEqual(['1', 0])

  const running = svc.start(['-S', '-s', '-q', 'one'])
  const link = await until('the link is printed', () => /\S+/.exec(running.output())?.[0])
  const { id, files } = await server.client.upload(/([0-9A-Za-z]{16})\/[0-9A-Za-z]{16}/.exec(link)?.[1] ?? '')
  await until('the sender is there', async () => {
    const { files: now } = await server.client.upload(id)
    return now[0]?.status === 'uploading' ? now : undefined
  })
  expect(files).toHaveLength(1)
  expect(await svc.run(['get', link, '-o', '-'])).toMatchObject({ status: 0, output: '1' })
  expect(await running.ended).toMatchObject({ status: 0 })
})

test('an upload in pieces goes on where it was cut, also by a server that dies', async () => {
  await writeFile(svc.path('large'), randomBytes(24_000_000))
  proxy.fail({ kind: 'cut-request', after: 5_000_000 }, { when: /^PATCH/, times: 1 })
  const args = ['large', '-s', '--json', '--limit-rate', '8MB', '--retries', '20']
  const running = svc.start(args, { environment: { SVC_SERVER: proxy.url } })
  await until('the second piece is under way', () => {
    return proxy.requests.filter((request) => request.startsWith('PATCH')).length > 1 ? true : undefined
  })
  server.kill('SIGKILL')
  await server.ended
  server = await startSvcd(server.directory, settings)
  const { status, output } = await running.ended
  expect(status).toBe(0)
  const { url } = JSON.parse(output) as Told
  expect(proxy.requests.filter((request) => request.startsWith('POST /tus'))).toHaveLength(1)
  const link = url.replace(proxy.url, server.url)
  expect(await svc.run(['get', link, '-o', 'large.back'])).toMatchObject({ status: 0 })
  expect(Buffer.compare(await content('large.back'), await content('large'))).toBe(0)
})

describe('a download that breaks off', () => {
  test('goes on with the encrypted bytes that have come, with whatever passphrase is right', async () => {
    await writeFile(svc.path('big'), randomBytes(9_000_000))
    const { id, passphrase = '' } = (await svc.json(['-s', 'big'])) as Told
    const get = (key: string, ...more: string[]) =>
      svc.run(['get', id, '-o', 'big.back', ...more], {
        environment: { SVC_SERVER: proxy.url, SVC_PASSPHRASE: key },
      })
    proxy.fail({ kind: 'cut-answer', after: 6_000_000 }, { when: /^GET \/file/, times: 1 })
    expect(await get(passphrase, '--retries', '0')).toMatchObject({ status: 4 })
    expect(await namesOf('big.back')).toEqual([expect.stringMatching(/^big\.back\.\w{16}\.part$/)])
    expect(await get('')).toMatchObject({ status: 6, output: '' })
    const wrong = await get('another one')
    expect(wrong).toMatchObject({ status: 6, output: '' })
    expect(wrong.complaints).toContain('this passphrase does not open the file')
    expect(await namesOf('big.back')).toEqual([expect.stringMatching(/\w{16}\.part$/)])
    expect(await get(passphrase)).toMatchObject({ status: 0 })
    expect(Buffer.compare(await content('big.back'), await content('big'))).toBe(0)
    expect(await namesOf('big.back')).toEqual(['big.back'])
  })

  test('never gives its name to what was changed or cut off by whoever sent it', async () => {
    await writeFile(svc.path('good'), randomBytes(5 * chunk))
    const { url, passphrase = '' } = (await svc.json(['-s', 'good'])) as Told
    await svc.run(['get', url, '--no-decrypt', '-o', 'good.age'])
    const good = await content('good.age')
    const tampered = Buffer.from(good)
    tampered.writeUInt8((good.at(-chunk) ?? 0) ^ 1, good.length - chunk)
    const wrongs = [
      [tampered, 'is damaged'],
      [good.subarray(0, good.length - 1), 'is damaged'],
      [good.subarray(0, good.length - chunk - 16), 'the end of the file is missing'],
      [Buffer.concat([good, Buffer.alloc(100)]), 'something follows the end'],
    ] as const
    for (const [bytes, words] of wrongs) {
      const { id } = await stored(bytes)
      const { status, complaints } = await svc.run(['get', id, '-o', 'bad', '--passphrase', passphrase])
      expect({ status, complaints }).toEqual({
        status: 6,
        complaints: expect.stringContaining(words) as string,
      })
      expect(await namesOf('bad')).toEqual([])
    }
  })

  test('keeps what can be had once, when it does not open', async () => {
    await writeFile(svc.path('once'), 'once')
    const { id, passphrase = '' } = (await svc.json(['-s', '-o', 'once'])) as Told
    const { status, complaints } = await svc.run(['get', id, '-o', 'mine', '--passphrase', 'wrong'])
    expect(status).toBe(6)
    expect(complaints).toContain('encrypted as it was sent; it cannot be asked for again')
    const [part = ''] = await namesOf('mine')
    expect((await content(part)).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
    const { id: again } = await stored(await content(part))
    expect(await svc.run(['get', again, '-o', '-', '--passphrase', passphrase])).toMatchObject({
      output: 'once',
    })
  })
})

test.skipIf(!existsSync('/usr/bin/python3'))('a person is asked for the passphrase', async () => {
  await writeFile(svc.path('asked'), 'asked')
  const { url, passphrase = '' } = (await svc.json(['-s', 'asked'])) as Told
  const [bare = ''] = url.split('#key=')
  const args = [
    process.execPath,
    svc.program,
    'get',
    bare,
    '-o',
    svc.path('answered'),
    '--server',
    server.url,
  ]
  await run('python3', [answer, passphrase, ...args])
  expect((await content('answered')).toString()).toBe('asked')
})

test.each<[what: string, args: readonly string[], words: string]>([
  ['a passphrase beside recipients', ['--passphrase', 'x', '--recipient', 'age1x'], 'exclude each other'],
  ['a recipient that is none', ['--recipient', 'age1nonsense'], 'age1nonsense is no recipient'],
  ['a file of recipients that is not there', ['--recipient', 'nobody'], 'neither a key nor a file of keys'],
  ['a file of other things', ['--recipient', 'thing'], 'a line that is no public key'],
  ['an empty passphrase', ['--passphrase', ''], 'the passphrase is empty'],
  ['a question where nobody is', ['--passphrase', '-'], 'SVC_PASSPHRASE'],
])('%s is refused before anything is sent', async (_, args, words) => {
  await writeFile(svc.path('thing'), 'AGE-SECRET-KEY-1SECRET')
  const environment = { SVC_SERVER: proxy.url }
  const { status, output, complaints } = await svc.run(['thing', ...args], { environment })
  expect({ status, output }).toEqual({ status: 2, output: '' })
  expect(complaints).toContain(words)
  expect(complaints).not.toContain('SECRET-KEY')
  expect(proxy.requests).toEqual([])
})
