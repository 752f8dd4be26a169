import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { mountSkipReason } from '../../../scripts/tests/programs.ts'

const run = promisify(execFile)

let server: Svcd
let secure: Svcd
let svc: Svc
let proxy: FaultyProxy

/** A certificate from an unknown issuer. */
async function certificate(directory: string) {
  const [key, cert] = [`${directory}/key.pem`, `${directory}/cert.pem`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  await run('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert])
  return { SSL_ENABLED: 'true', SSL_KEY: key, SSL_CERT: cert }
}

beforeAll(async () => {
  const directory = await emptyDirectory()
  const settings = await certificate(directory)
  ;[server, secure, svc] = await Promise.all([
    startSvcd(await emptyDirectory()),
    startSvcd(directory, settings),
    installSvc(),
  ])
})
afterAll(async () => {
  for (const started of [server, secure]) started.kill('SIGKILL')
  await Promise.all([server.ended, secure.ended, svc.close()])
})
beforeEach(async () => {
  proxy = await startFaultyProxy(server.url)
})
afterEach(() => proxy.close())

const to = ({ url }: { readonly url: string }) => ({ environment: { SVC_SERVER: url } })

test('a certificate from an unknown issuer is rejected, and accepted only on request', async () => {
  await writeFile(svc.path('a.txt'), 'a')
  const { status, output, stderr } = await svc.run(['-q', 'a.txt'], to(secure))
  expect({ status, output }).toEqual({ status: 4, output: '' })
  expect(stderr).toContain('the certificate is not trusted (see --insecure)')
  const taken = await svc.run(['-q', '--insecure', 'a.txt'], to(secure))
  expect(taken).toMatchObject({ status: 0 })
  expect(await svc.run(['get', taken.output.trim(), '-o', '-'])).toMatchObject({ status: 4, output: '' })
  expect(await svc.run(['get', '--insecure', taken.output.trim(), '-o', '-'])).toMatchObject({ output: 'a' })
})

/**
 * An HTTP proxy, as companies have one.
 * @returns the requests that it received
 */
async function startForwarding() {
  const requests: string[] = []
  const forwarding = createServer((incoming, response) => {
    requests.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`)
    const { method, headers } = incoming
    const on = request(incoming.url ?? '', { method, headers, agent: false }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers)
      upstream.pipe(response)
    })
    incoming.pipe(on)
  })
  forwarding.on('connect', ({ url = '' }, socket) => {
    requests.push(`CONNECT ${url}`)
    const { hostname, port } = new URL(`tcp://${url}`)
    const on = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    on.pipe(socket).pipe(on)
    for (const [end, otherEnd] of [
      [on, socket],
      [socket, on],
    ] as const)
      end.on('error', () => otherEnd.destroy())
  })
  await once(forwarding.listen(0, '127.0.0.1'), 'listening')
  const { port } = forwarding.address() as AddressInfo
  return {
    requests,
    url: `http://127.0.0.1:${String(port)}`,
    close() {
      forwarding.closeAllConnections()
      forwarding.close()
    },
  }
}

test('the proxies of the environment are used, except for excluded hosts', async () => {
  const bytes = randomBytes(2_000_000)
  await writeFile(svc.path('proxied.bin'), bytes)
  const forwarding = await startForwarding()
  for (const { url } of [server, secure]) {
    // One in the notation of browsers, one in that of curl.
    const https_proxy = forwarding.url.replace('http://', '')
    const environment = { SVC_SERVER: url, HTTP_PROXY: forwarding.url, https_proxy }
    const { output } = await svc.run(['-q', '--insecure', 'proxied.bin'], { environment })
    const sent = forwarding.requests.length
    expect(sent).toBeGreaterThan(0)
    const got = await svc.run(['get', '--insecure', output.trim(), '-o', 'proxied/', '-y'], { environment })
    expect(got).toMatchObject({ status: 0 })
    expect((await readFile(svc.path('proxied/proxied.bin'))).equals(bytes)).toBe(true)
    expect(forwarding.requests.length).toBeGreaterThan(sent)
    await rm(svc.path('proxied/proxied.bin'))
    const before = forwarding.requests.length
    const without = { environment: { ...environment, NO_PROXY: '127.0.0.1' } }
    expect(await svc.run(['get', '--insecure', output.trim(), '-o', 'proxied/'], without)).toMatchObject({
      status: 0,
    })
    expect(forwarding.requests.length).toBe(before)
    await rm(svc.path('proxied/proxied.bin'))
  }
  expect(forwarding.requests).toContain(`CONNECT ${new URL(secure.url).host}`)
  forwarding.close()
  const unreachable = { SVC_SERVER: server.url, http_proxy: forwarding.url }
  const { status, stderr } = await svc.run(['proxied.bin', '--retries', '0'], { environment: unreachable })
  expect(status).toBe(4)
  expect(stderr).toContain('(a proxy is set): connection refused')
})

describe('a proxy page instead of a response', () => {
  test.each([200, 403, 502])('is reported as a sentence (%i), and its content is ignored', async (status) => {
    await writeFile(svc.path('a.txt'), 'a')
    proxy.fail({ kind: 'respond', status, body: '<html>Who are you?</html>' }, { when: /^POST \/upload/ })
    const ran = await svc.run(['a.txt', '--retries', '0'], to(proxy))
    expect(ran).toMatchObject({ status: 1, output: '' })
    expect(ran.stderr.split('\n')).toHaveLength(2)
    expect(ran.stderr).toMatch(/^svc: .*(?:proxy|answer)/)
  })

  test('is not saved as the file', async () => {
    await writeFile(svc.path('a.txt'), 'a')
    const { output } = await svc.run(['-q', 'a.txt'], to(proxy))
    proxy.fail({ kind: 'respond', status: 200, body: '<html>' }, { when: /^GET \/file/ })
    const ran = await svc.run(['get', output.trim(), '-o', 'proxied.txt'], to(proxy))
    expect(ran).toMatchObject({ status: 1 })
    expect(await readdir(svc.directory)).not.toContain('proxied.txt')
  })
})

test('unreadable files are reported, and the rest of the folder is uploaded', async () => {
  await mkdir(svc.path('mixed/locked'), { recursive: true })
  for (const name of ['mixed/a', 'mixed/secret', 'mixed/locked/b']) await writeFile(svc.path(name), name)
  await chmod(svc.path('mixed/secret'), 0)
  await chmod(svc.path('mixed/locked'), 0)
  const ran = await svc.run(['mixed', '--json'], { ...to(server), rights: 'unprivileged' })
  await chmod(svc.path('mixed/locked'), 0o700)
  expect(ran).toMatchObject({ status: 3 })
  expect(ran.stderr).toMatch(/mixed\/locked: permission denied/)
  expect(ran.stderr).toMatch(/mixed\/secret: .*permission denied/)
  const { files } = JSON.parse(ran.output) as { readonly files: readonly object[] }
  expect(files).toMatchObject([
    { name: 'mixed/a', status: 'uploaded' },
    { name: 'mixed/secret', status: 'failed' },
  ])
  const alone = await svc.run(['mixed/secret'], { ...to(server), rights: 'unprivileged' })
  expect(alone).toMatchObject({ status: 5, output: '' })
})

test('a sparse file arrives unchanged, with a note about it', async () => {
  await writeFile(svc.path('holes'), 'begin')
  await truncate(svc.path('holes'), 30_000_000)
  const { output, stderr } = await svc.run(['-a', 'tar.gz', 'holes', '--json'], to(server))
  expect(stderr).toMatch(/holes: mostly holes: 30\.0 MB are sent for/)
  const { id } = JSON.parse(output) as { readonly id: string }
  await svc.run(['get', '-x', id, '-o', 'filled'], to(server))
  const downloaded = await readFile(svc.path('filled/holes'))
  expect(downloaded.length).toBe(30_000_000)
  expect(downloaded.subarray(0, 5).toString() + String(downloaded.findLastIndex((byte) => byte !== 0))).toBe(
    'begin4',
  )
})

test('five thousand small files are uploaded as one archive, and unpacked again', async () => {
  await mkdir(svc.path('many'))
  const names = Array.from({ length: 5000 }, (_, index) => `${String(index)}.txt`)
  for (const name of names) await writeFile(svc.path(`many/${name}`), name)
  const { output, stderr } = await svc.run(['-q', '-a', 'zip', 'many'], to(server))
  expect(stderr).toBe('')
  await svc.run(['get', '-x', output.trim(), '-o', 'back'], to(server))
  expect((await readdir(svc.path('back/many'))).sort()).toEqual(names.sort())
  expect(await readFile(svc.path('back/many/4999.txt'), 'utf8')).toBe('4999.txt')
})

describeUnless(mountSkipReason, 'a read-only disk', () => {
  beforeEach(async () => {
    await mkdir(svc.path('read-only'))
    await run('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', svc.path('read-only')])
  })
  afterEach(() => run('umount', [svc.path('read-only')]))

  test('is the reason why a folder for a download, or for the key of a request, cannot be made', async () => {
    await writeFile(svc.path('a.txt'), 'a')
    const { output } = await svc.run(['-q', 'a.txt'], to(server))
    const got = await svc.run(['get', output.trim(), '-o', 'read-only/new/deep/'], to(server))
    expect(got.stderr).toContain('the disk is read-only')
    const { environment } = to(server)
    const home = { environment: { ...environment, XDG_CONFIG_HOME: svc.path('read-only/new') } }
    expect((await svc.run(['request', 'new', 'x'], home)).stderr).toContain('the disk is read-only')
  })
})
