import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { manifestName } from '@svc/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import {
  typePassphraseScript,
  chunk,
  contentOf,
  namesOf,
  storeEncrypted,
  type EncryptedUploadOutput,
} from '../support/encrypted.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { testWith } from '../../../scripts/tests/needs.ts'

let server: Svcd
let proxy: FaultyProxy
let svc: Svc
let settings: Readonly<Record<string, string>>

beforeAll(async () => {
  settings = { LISTEN_PORT: String(await freePort()), LOG_LEVEL: 'debug' }
  server = await startSvcd(await emptyDirectory(), settings)
  svc = await installSvc(server.url)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})
beforeEach(async () => {
  proxy = await startFaultyProxy(server.url)
})
afterEach(() => proxy.close())

test('neither the content nor the passphrase reaches the server', async () => {
  const canary = `canary-${randomBytes(16).toString('hex')}`
  await writeFile(svc.path('secret.txt'), `${canary}\n`.repeat(5_000))
  const { url, passphrase = '', files } = (await svc.json(['-s', 'secret.txt'])) as EncryptedUploadOutput
  expect(url).toContain(`#key=${passphrase}`)
  expect(await svc.run(['get', url, '-o', 'known.txt'])).toMatchObject({ status: 0 })
  expect(Buffer.compare(await contentOf(svc, 'known.txt'), await contentOf(svc, 'secret.txt'))).toBe(0)
  const there = await readdir(server.directory, { recursive: true, withFileTypes: true })
  const storedFiles = await Promise.all(
    there.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  )
  // The stored files that are searched include the encrypted file.
  expect(storedFiles.some((bytes) => bytes.length === files[0]?.size)).toBe(true)
  for (const secret of [canary, passphrase])
    for (const bytes of [...storedFiles, Buffer.from(server.log() + server.output())])
      expect(bytes.includes(secret)).toBe(false)
})

test('standard input, one-shot uploads, streams and several files are encrypted', async () => {
  const { output } = await svc.run(['-', '-n', 'dump', '-s', '-o', '-q'], { input: 'select 1' })
  expect(await svc.run(['get', output.trim(), '-o', '-'])).toMatchObject({ status: 0, output: 'select 1' })
  await writeFile(svc.path('one'), '1')
  await writeFile(svc.path('none'), '')
  const { url } = (await svc.json(['-s', 'one', 'none'])) as EncryptedUploadOutput
  expect(await svc.json(['get', url, '-o', 'both/'])).toMatchObject([
    { decrypted: true, status: 'downloaded' },
    { decrypted: true, status: 'downloaded' },
  ])
  expect([(await contentOf(svc, 'both/one')).toString(), (await contentOf(svc, 'both/none')).length]).toEqual(
    ['1', 0],
  )

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

test('a resumable upload continues after a cut and after a crash of the server', async () => {
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
  const { url } = JSON.parse(output) as EncryptedUploadOutput
  expect(proxy.requests.filter((request) => request.startsWith('POST /tus'))).toHaveLength(1)
  const link = url.replace(proxy.url, server.url)
  expect(await svc.run(['get', link, '-o', 'large.back'])).toMatchObject({ status: 0 })
  expect(Buffer.compare(await contentOf(svc, 'large.back'), await contentOf(svc, 'large'))).toBe(0)
})

describe('an interrupted download', () => {
  test('resumes from the encrypted bytes on disk, with any correct passphrase', async () => {
    await writeFile(svc.path('big'), randomBytes(9_000_000))
    const { id, passphrase = '' } = (await svc.json(['-s', 'big'])) as EncryptedUploadOutput
    const get = (key: string, ...more: string[]) =>
      svc.run(['get', id, '-o', 'big.back', ...more], {
        environment: { SVC_SERVER: proxy.url, SVC_PASSPHRASE: key },
      })
    proxy.fail({ kind: 'cut-response', after: 6_000_000 }, { when: /^GET \/file(?!.*manifest)/, times: 1 })
    expect(await get(passphrase, '--retries', '0')).toMatchObject({ status: 4 })
    expect(await namesOf(svc, 'big.back')).toEqual([expect.stringMatching(/^big\.back\.\w{16}\.part$/)])
    expect(await get('')).toMatchObject({ status: 6, output: '' })
    const wrong = await get('another one')
    expect(wrong).toMatchObject({ status: 6, output: '' })
    expect(wrong.stderr).toContain('this passphrase does not open the file')
    expect(await namesOf(svc, 'big.back')).toEqual([expect.stringMatching(/\w{16}\.part$/)])
    expect(await get(passphrase)).toMatchObject({ status: 0 })
    expect(Buffer.compare(await contentOf(svc, 'big.back'), await contentOf(svc, 'big'))).toBe(0)
    expect(await namesOf(svc, 'big.back')).toEqual(['big.back'])
  })

  test('gives no final name to content that its sender changed or truncated', async () => {
    await writeFile(svc.path('good'), randomBytes(5 * chunk))
    const { url, passphrase = '' } = (await svc.json(['-s', 'good'])) as EncryptedUploadOutput
    await svc.run(['get', url, '--no-decrypt', '-o', 'good.age'])
    const good = await contentOf(svc, 'good.age')
    const tampered = Buffer.from(good)
    tampered.writeUInt8((good.at(-chunk) ?? 0) ^ 1, good.length - chunk)
    const wrongs = [
      [tampered, 'is damaged'],
      [good.subarray(0, good.length - 1), 'is damaged'],
      [good.subarray(0, good.length - chunk - 16), 'the end of the file is missing'],
      [Buffer.concat([good, Buffer.alloc(100)]), 'something follows the end'],
    ] as const
    for (const [bytes, words] of wrongs) {
      const { id } = await storeEncrypted(server, bytes)
      const { status, stderr } = await svc.run(['get', id, '-o', 'bad', '--passphrase', passphrase])
      expect({ status, stderr }).toEqual({
        status: 6,
        stderr: expect.stringContaining(words) as string,
      })
      expect(await namesOf(svc, 'bad')).toEqual([])
    }
  })

  test('uses up no one-shot file with a wrong passphrase, which the manifest shows', async () => {
    await writeFile(svc.path('once'), 'once')
    const { id, passphrase = '' } = (await svc.json(['-s', '-o', 'once'])) as EncryptedUploadOutput
    expect(await svc.run(['get', id, '-o', '-', '--passphrase', 'wrong'])).toMatchObject({
      status: 6,
      output: '',
    })
    expect(await svc.run(['get', id, '-o', '-', '--passphrase', passphrase])).toMatchObject({
      status: 0,
      output: 'once',
    })
  })

  test('keeps a one-shot file without a manifest that fails to decrypt', async () => {
    await writeFile(svc.path('once'), 'once')
    const sent = (await svc.json(['-s', 'once'])) as EncryptedUploadOutput
    const { passphrase = '' } = sent
    await svc.run(['get', sent.id, '-o', 'once.age', '--no-decrypt', '--file', 'once'])
    const { id } = await storeEncrypted(server, await contentOf(svc, 'once.age'), { oneShot: true })
    const { status, stderr } = await svc.run(['get', id, '-o', 'mine', '--passphrase', 'wrong'])
    expect(status).toBe(6)
    expect(stderr).toContain('still encrypted; it cannot be resumed')
    const [part = ''] = await namesOf(svc, 'mine')
    expect((await contentOf(svc, part)).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
    const { id: again } = await storeEncrypted(server, await contentOf(svc, part))
    expect(await svc.run(['get', again, '-o', '-', '--passphrase', passphrase])).toMatchObject({
      output: 'once',
    })
  })
})

testWith(['python3'], 'an interactive user is asked for the passphrase', async () => {
  await writeFile(svc.path('asked'), 'asked')
  const { url, passphrase = '' } = (await svc.json(['-s', 'asked'])) as EncryptedUploadOutput
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
  await promisify(execFile)('python3', [typePassphraseScript, passphrase, ...args])
  expect((await contentOf(svc, 'answered')).toString()).toBe('asked')
})

test.each<[what: string, args: readonly string[], words: string]>([
  [
    'a passphrase together with recipients',
    ['--passphrase', 'x', '--recipient', 'age1x'],
    'cannot be combined',
  ],
  ['an invalid recipient', ['--recipient', 'age1nonsense'], 'age1nonsense is not a recipient'],
  ['a missing recipients file', ['--recipient', 'nobody'], 'is neither a key, nor github:USER'],
  ['a recipients file with other content', ['--recipient', 'thing'], 'a line is not a public key'],
  ['an empty passphrase', ['--passphrase', ''], 'the passphrase is empty'],
  ['a passphrase prompt without a terminal', ['--passphrase', '-'], 'SVC_PASSPHRASE'],
])('%s is rejected before anything is sent', async (_, args, words) => {
  await writeFile(svc.path('thing'), 'AGE-SECRET-KEY-1SECRET')
  const environment = { SVC_SERVER: proxy.url }
  const { status, output, stderr } = await svc.run(['thing', ...args], { environment })
  expect({ status, output }).toEqual({ status: 2, output: '' })
  expect(stderr).toContain(words)
  expect(stderr).not.toContain('SECRET-KEY')
  expect(proxy.requests).toEqual([])
})

test('standard input has a manifest, too', async () => {
  const { output } = await svc.run(['-', '-n', 'dump', '-s', '--link', 'page'], { input: 'select 1' })
  expect(output).toContain('&manifest=1#key=')
  expect(await svc.run(['get', output.trim(), '-o', '-'])).toMatchObject({ status: 0, output: 'select 1' })
})

test('the name of the manifest is reserved in encrypted uploads only', async () => {
  await writeFile(svc.path(manifestName), 'mine')
  const refused = await svc.run(['-s', manifestName])
  expect(refused).toMatchObject({ status: 2, output: '' })
  expect(refused.stderr).toContain('is the name of the manifest of an encrypted upload')
  expect(await svc.run([manifestName])).toMatchObject({ status: 0 })
})
