import { createServer } from 'node:https'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testWith } from '../../../scripts/tests/needs.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { selfSigned } from '../../../server/test/support/servers/self-signed.ts'
import { startServer } from '../support/foreign-servers.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory(), { FEATURE_STREAM: 'disabled', MAX_FILE_SIZE_STR: '5 MB' })
  svc = await installSvc(server.url)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

test('doctor lists what works', async () => {
  const { status, output } = await svc.run(['doctor'])
  expect(status).toBe(0)
  expect(output).toMatch(/^ok {4}server: reached in \d+ ms; its version is \d/m)
  expect(output).toContain('ok    clock: that of the server shows the same time')
  expect(output).toContain('ok    limits: files up to 5.00 MB, 1000 in an upload')
  expect(output).toMatch(/^ok {4}functions: off: .*stream/m)
  expect(output).toContain('warn  TLS: the address begins with http://')
  expect(await svc.json(['doctor'])).toContainEqual({ level: 'ok', about: 'proxy', message: 'none is set' })
})

test('doctor names what does not work, and fails', async () => {
  const run = async (...options: readonly string[]) => svc.run(['doctor', ...options])
  const unreachable = await run('--server', 'http://127.0.0.1:1')
  expect(unreachable).toMatchObject({ status: 1 })
  expect(unreachable.output).toMatch(/^fail {2}server: .*connection refused$/m)
  await using wrong = await startServer((_request, response) => response.writeHead(404).end('no'))
  expect(await run('--server', wrong.url)).toMatchObject({ status: 1 })
  const bare = await installSvc()
  expect((await bare.run(['doctor'])).output).toContain('fail  address: no server is configured')
  await bare.close()
})

test('doctor warns of a clock that differs, a proxy, and a damaged address book', async () => {
  await using late = await startServer((_request, response) => {
    response.setHeader('date', 'Thu, 01 Jan 2026 00:00:00 GMT')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ version: '99.0.0', clients: [], releases: [] }))
  })
  const environment = {
    NO_PROXY: '127.0.0.1',
    HTTP_PROXY: 'http://127.0.0.1:1',
    XDG_CONFIG_HOME: svc.path('conf'),
  }
  await svc.run(['config', 'server', late.url], { environment })
  await writeFile(svc.path('conf/svc/keys.toml'), 'ada = 7\n')
  const { status, output } = await svc.run(['doctor', '--server', late.url], { environment })
  expect(status).toBe(1)
  expect(output).toMatch(/^warn {2}clock: this computer is .* ahead of the server/m)
  expect(output).toMatch(/^warn {2}svc: version .*; the server has 99\.0\.0/m)
  expect(output).toMatch(/^warn {2}proxy: /m)
  expect(output).toMatch(/^fail {2}keys: .*ada must be a list/m)
})

testWith(['openssl'], 'doctor names the reason why a certificate is not trusted', async () => {
  const directory = await emptyDirectory()
  const paths = selfSigned(directory, { name: 'tls', holder: 'IP:127.0.0.1', days: 30 })
  const [key, cert] = await Promise.all([readFile(paths.key), readFile(paths.cert)])
  const secure = createServer({ key, cert }).listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const url = `https://127.0.0.1:${String((secure.address() as AddressInfo).port)}`
  const { output } = await svc.run(['doctor', '--server', url])
  expect(output).toMatch(/^fail {2}certificate: the certificate is not trusted/m)
  secure.closeAllConnections()
  await secure[Symbol.asyncDispose]()
})
