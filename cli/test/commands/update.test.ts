import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { bundled, installSvc, type Svc } from '../support/svc.ts'

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
  svc = await installSvc(proxy.url, '0.0.9')
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
  await promisify(execFile)(process.execPath, [svc.path('bin/svc'), 'update', '--server', proxy.url])
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
  await writeFile(svc.program, await bundled('99.0.0'))
  const report = await svc.run(['update'])
  expect(report).toMatchObject({ status: 0 })
  expect(report.stderr).toContain('which is older than this (99.0.0)')
  expect(await versionNow()).toBe('99.0.0')
  await svc.run(['update', '--downgrade'])
  expect(await versionNow()).toBe(packageFile.version)
})

describe('the installed version stays', () => {
  const updateFailsWith = async (message: string) => {
    const ran = await svc.run(['update'])
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
