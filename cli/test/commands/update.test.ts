import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { describeWith, testWith } from '../../../scripts/tests/needs.ts'
import { bundled, installSvc, type Svc } from '../support/svc.ts'
import { svcAtTerminal } from '../support/terminal.ts'

let clients: string
let server: Svcd
let proxy: FaultyProxy
let svc: Svc

beforeAll(async () => {
  clients = await emptyDirectory()
  await writeFile(`${clients}/svc.mjs`, await bundled())
  server = await startSvcd(await emptyDirectory(), { CLIENTS_DIRECTORY: clients })
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})
beforeEach(async () => {
  proxy = await startFaultyProxy(server.url)
  svc = await installSvc(proxy.url, { version: '0.0.9' })
})
afterEach(() => Promise.all([proxy.close(), svc.close()]))

const versionNow = async () => (await svc.run(['--version'])).output.trim()

/** The program and the files that an update leaves next to it. */
const programFiles = async () => (await readdir(svc.directory)).filter((name) => name.includes('svc.mjs'))

test('update replaces an older svc through its symbolic link and keeps its mode', async () => {
  await chmod(svc.program, 0o700)
  await mkdir(svc.path('bin'))
  await symlink('../svc.mjs', svc.path('bin/svc'))
  expect(await svc.run(['update', '--check'])).toMatchObject({ status: 1, output: '' })
  expect(await versionNow()).toBe('0.0.9')
  await promisify(execFile)(process.execPath, [svc.path('bin/svc'), 'update', '-y', '--server', proxy.url])
  expect(await versionNow()).toBe(packageFile.version)
  expect(await readFile(svc.program)).toEqual(await readFile(`${clients}/svc.mjs`))
  expect((await stat(svc.program)).mode & 0o777).toBe(0o700)
  expect(await programFiles()).toEqual(['svc.mjs'])
  const again = await svc.run(['update'])
  expect(again).toMatchObject({ status: 0 })
  expect(again.stderr).toContain('is the version that the server offers')
  expect(await svc.run(['update', '--check'])).toMatchObject({ status: 0 })
})

test('an older version on the server is reported, and installed only with --downgrade', async () => {
  await writeFile(svc.program, await bundled({ version: '99.0.0' }))
  const report = await svc.run(['update'])
  expect(report).toMatchObject({ status: 0 })
  expect(report.stderr).toContain('which is older than this (99.0.0)')
  expect(await versionNow()).toBe('99.0.0')
  await svc.run(['update', '--downgrade', '--yes'])
  expect(await versionNow()).toBe(packageFile.version)
})

describe('the installed version stays', () => {
  const updateFailsWith = async (message: string) => {
    const ran = await svc.run(['update', '--yes'])
    expect(ran.stderr).toContain(message)
    expect(await versionNow()).toBe('0.0.9')
    expect(await programFiles()).toEqual(['svc.mjs'])
    return ran.status
  }

  test('when the connection is cut', async () => {
    proxy.fail({ kind: 'cut-response', after: 10_000 }, { when: /^GET \/clients/ })
    expect(await updateFailsWith('connection reset')).toBe(4)
  })

  test('when a proxy responds instead of the server', async () => {
    proxy.fail({ kind: 'respond', status: 502, body: '<html>' }, { when: /^GET \/clients/ })
    expect(await updateFailsWith('the server responded with 502')).toBe(1)
    proxy.heal()
    proxy.fail({ kind: 'respond', status: 200, body: '<html>' }, { when: /^GET \/clients/ })
    expect(await updateFailsWith('does not match the size or SHA-256')).toBe(1)
  })

  test('when its bytes do not match the announced checksum', async () => {
    const { clients: builds, ...about } = await server.client.version()
    const lies = builds.map((build) => ({ ...build, sha256: '0'.repeat(64) }))
    proxy.fail(
      { kind: 'respond', status: 200, body: JSON.stringify({ ...about, clients: lies }) },
      { when: /^GET \/version/ },
    )
    expect(await updateFailsWith('does not match the size or SHA-256')).toBe(1)
  })

  test('when the server has no build for this system', async () => {
    const body = JSON.stringify({ version: '1.0.0', clients: [], releases: [] })
    proxy.fail({ kind: 'respond', status: 200, body }, { when: /^GET \/version/ })
    expect(await updateFailsWith('offers no svc for this system')).toBe(1)
  })

  test('when it is installed with npm, or is a source checkout', async () => {
    const run = promisify(execFile)
    for (const [folder, message] of [
      ['node_modules/svc', 'installed with npm'],
      ['clients', 'source checkout'],
    ] as const) {
      await mkdir(svc.path(folder), { recursive: true })
      await mkdir(svc.path('cli/src'), { recursive: true })
      await cp(svc.program, svc.path(`${folder}/svc.mjs`))
      const updating = run(process.execPath, [svc.path(`${folder}/svc.mjs`), 'update', '--server', proxy.url])
      await expect(updating).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message) as string,
      })
    }
    expect(proxy.requests.filter((request) => request.includes('/clients/'))).toEqual([])
  })

  test('when the update would arrive over plain HTTP from another machine', async () => {
    const { hostname } = new URL(proxy.url)
    const address = proxy.url.replace(hostname, '0.0.0.0')
    const { status, stderr } = await svc.run(['update', '--server', address])
    expect(status).toBe(2)
    expect(stderr).toContain('is not encrypted')
  })
})

describe('a build without a key for signatures', () => {
  test('installs nothing without a question, or --yes', async () => {
    const { status, stderr } = await svc.run(['update'])
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('this svc has no key to verify the signature') as string,
    })
    expect(await versionNow()).toBe('0.0.9')
  })

  describeWith(['python3'], 'asks in a terminal', () => {
    test.each([
      ['n', '0.0.9'],
      ['y', packageFile.version],
    ])('and takes %s for an answer', async (key, version) => {
      const { screen } = await svcAtTerminal(svc, ['update'], {
        answers: [['Install the program', `${key}\r`]],
      })
      expect(screen).toContain(`Install the program of ${proxy.url}?`)
      expect(await versionNow()).toBe(version)
    })
  })
})

describe('a build with a key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const id = randomBytes(8)
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const updateKey = Buffer.concat([Buffer.from('Ed'), id, raw]).toString('base64')
  const signed = `svc ${packageFile.version} svc.mjs`
  let keyed: Svc

  /** A signature of minisign for a program. */
  const signatureOf = (program: Uint8Array, { comment = signed, number = id, key = privateKey } = {}) => {
    const own = sign(null, createHash('blake2b512').update(program).digest(), key)
    const both = sign(null, Buffer.concat([own, Buffer.from(comment)]), key)
    const first = Buffer.concat([Buffer.from('ED'), number, own]).toString('base64')
    return `untrusted comment: of a test\n${first}\ntrusted comment: ${comment}\n${both.toString('base64')}\n`
  }
  const publish = async (signature: string) => writeFile(`${clients}/svc.mjs.minisig`, signature)
  const program = () => readFile(`${clients}/svc.mjs`)

  beforeEach(async () => {
    keyed = await installSvc(proxy.url, { version: '0.0.9', updateKey })
    await rm(`${clients}/svc.mjs.minisig`, { force: true })
  })
  afterEach(() => keyed.close())

  const versionOf = async () => (await keyed.run(['--version'])).output.trim()

  test('installs what is signed with it, without a question', async () => {
    await publish(signatureOf(await program()))
    expect(await keyed.run(['update'])).toMatchObject({ status: 0 })
    expect(await versionOf()).toBe(packageFile.version)
  })

  const forger = generateKeyPairSync('ed25519').privateKey
  test.each<[name: string, signature: () => Promise<string> | string]>([
    ['another key', async () => signatureOf(await program(), { key: forger })],
    ['a key with another number', async () => signatureOf(await program(), { number: randomBytes(8) })],
    ['its key, of another program', () => signatureOf(Buffer.from('another'))],
    [
      'its key, of another version',
      async () => signatureOf(await program(), { comment: 'svc 0.0.1 svc.mjs' }),
    ],
    [
      'its key, and a changed comment',
      async () => signatureOf(await program(), { comment: 'svc 0.0.1' }).replace('svc 0.0.1', signed),
    ],
    ['nothing', () => ''],
  ])('does not install what is signed with %s, with --yes neither', async (_name, signature) => {
    await publish(await signature())
    const { status, stderr } = await keyed.run(['update', '--yes'])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('nothing was changed') as string,
    })
    expect(await versionOf()).toBe('0.0.9')
    expect(await readdir(keyed.directory)).not.toContain('svc.mjs.new')
  })

  test('does not install what has no signature', async () => {
    const { status, stderr } = await keyed.run(['update', '--yes'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('404') as string })
    expect(await versionOf()).toBe('0.0.9')
  })

  test('asks before an update over plain HTTP', async () => {
    await publish(signatureOf(await program()))
    const address = proxy.url.replace(new URL(proxy.url).hostname, '0.0.0.0')
    const { status, stderr } = await keyed.run(['update', '--server', address])
    expect([status, stderr]).toEqual([2, expect.stringContaining('is not encrypted')])
    expect(await keyed.run(['update', '--server', address, '--yes'])).toMatchObject({ status: 0 })
    expect(await versionOf()).toBe(packageFile.version)
  })

  testWith(['minisign'], 'installs what minisign signed', async () => {
    const run = promisify(execFile)
    const folder = await emptyDirectory()
    await run('minisign', ['-G', '-W', '-p', `${folder}/key.pub`, '-s', `${folder}/key`])
    const written = (await readFile(`${folder}/key.pub`, 'utf8')).trim().split('\n').at(-1) ?? ''
    await run('minisign', ['-S', '-s', `${folder}/key`, '-t', signed, '-m', `${clients}/svc.mjs`])
    const other = await installSvc(proxy.url, { version: '0.0.9', updateKey: written })
    expect(await other.run(['update'])).toMatchObject({ status: 0 })
    expect((await other.run(['--version'])).output.trim()).toBe(packageFile.version)
    await other.close()
  })
})

test('the update notice appears once a day, on a terminal only, for users who enabled it', async () => {
  await writeFile(svc.path('a.txt'), 'a')
  const versionRequests = () => proxy.requests.filter((request) => request === 'GET /version').length
  /** `script` gives the program a terminal. */
  const atTerminal = async () => {
    const line = `"${process.execPath}" "${svc.program}" a.txt`
    const env = { PATH: process.env['PATH'] ?? '', HOME: svc.directory, TERM: 'dumb' }
    const options = { cwd: svc.directory, env }
    return (await promisify(execFile)('script', ['-qec', line, '/dev/null'], options)).stdout
  }
  await svc.run(['config', 'server', proxy.url])
  expect(await atTerminal()).not.toContain('svc update')
  await svc.run(['config', 'updates', 'true'])
  await svc.run(['a.txt'])
  expect(versionRequests()).toBe(0)
  expect(await atTerminal()).toContain(`svc ${packageFile.version} is available (this is 0.0.9): svc update`)
  expect(await atTerminal()).not.toContain('svc update')
  expect(versionRequests()).toBe(1)
})
