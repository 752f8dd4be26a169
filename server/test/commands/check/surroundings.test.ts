import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/platform/system-clock.ts'
import { freePort } from '../../../../scripts/test-servers/free-ports.ts'
import { newGcsKeyFile } from '../../support/stores/gcs/key-file.ts'
import { startGcsServer } from '../../support/stores/gcs/server.ts'
import { selfSigned } from '../../support/servers/self-signed.ts'
import { check, directory, environmentOf, startHere, type Settings, newDirectory } from './run-check.ts'
import { svcd } from '../command-line.ts'

beforeEach(newDirectory)

describe("svcd check of the service's environment", () => {
  test('recognizes this service behind SvcDomain, and warns where nothing responds', async () => {
    const server = await startHere()
    expect((await check({ SVC_DOMAIN: server.url })).about('SvcDomain')).toEqual([
      `ok ${server.url}/health is this service`,
    ])
    const unreachable = await check({ SVC_DOMAIN: `http://127.0.0.1:${String(await freePort())}` })
    expect([unreachable.status, unreachable.about('SvcDomain')]).toEqual([
      0,
      [expect.stringMatching(/^warn .* does not respond \(.*ECONNREFUSED/)],
    ])
  })

  test('distinguishes a port of svcd from that of another program', async () => {
    const server = await startHere()
    const other = createServer((socket) => socket.end('no')).listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const at = (port: number | string) => check({ LISTEN_ADDRESS: '127.0.0.1', LISTEN_PORT: String(port) })
    const ours = await at(new URL(server.url).port)
    expect([ours.status, ours.about('ListenPort')]).toEqual([
      0,
      [expect.stringMatching(/^ok svcd is running on 127\.0\.0\.1:/)],
    ])
    const taken = await at((other.address() as AddressInfo).port)
    expect([taken.status, taken.about('ListenPort')]).toEqual([
      1,
      [expect.stringMatching(/^fail another program listens/)],
    ])
    expect((await at(await freePort())).about('ListenPort')).toEqual([
      expect.stringMatching(/^ok .* is free$/),
    ])
  })

  test('recognizes the metrics of a server that works with a restriction', async () => {
    const port = await freePort()
    await startHere({ config: { minFreeSpace: 2 ** 60, metrics: { address: '127.0.0.1', port } } })
    const { status, about } = await check({ METRICS_PORT: String(port) })
    expect([status, about('MetricsPort')]).toEqual([0, [`ok svcd is running on 127.0.0.1:${String(port)}`]])
  })

  test('warns when other machines can reach the metrics, which ask for no password', async () => {
    const at = async (address: string) => {
      const port = String(await freePort())
      const { status, about } = await check({ METRICS_ADDRESS: address, METRICS_PORT: port })
      return [status, about('metrics')]
    }
    expect(await at('0.0.0.0')).toEqual([
      0,
      [
        'warn everyone who reaches 0.0.0.0 can read /metrics, without a password: let a firewall limit who can, or set MetricsAddress = "127.0.0.1"',
      ],
    ])
    expect(await at('127.0.0.1')).toEqual([0, []])
  })

  test('finds proxies that are not trusted, and too wide trusted networks', async () => {
    const domain = { SVC_DOMAIN: 'https://localhost:9' }
    expect((await check(domain)).about('TrustedProxies')).toEqual([
      expect.stringMatching(/^warn SvcDomain is https, but/),
    ])
    const trusting = (network: string) => check({ ...domain, TRUSTED_PROXIES: JSON.stringify([network]) })
    expect((await trusting('0.0.0.0/0')).about('TrustedProxies')).toEqual([
      expect.stringMatching(/^warn 0\.0\.0\.0\/0 trusts every client/),
    ])
    expect((await trusting('10.0.0.0/8')).about('TrustedProxies')).toEqual([
      'ok proxies and HTTPS are consistent',
    ])
  })

  test('finds secrets that every user of the machine may read, and shows none', async () => {
    const file = join(directory, 'svcd.toml')
    await writeFile(file, 'DefaultAdminLogin = "root"\nDefaultAdminPassword = "canary-password"\n')
    await chmod(file, 0o644)
    const { output } = await svcd(directory, ['check'], { environment: environmentOf({ LISTEN_PORT: '0' }) })
    expect(output).toMatch(/warn {2}configuration: every user .* holds DefaultAdminPassword: chmod o-rwx/)
    expect(output).not.toContain('canary')
    await chmod(file, 0o600)
    expect((await check()).about('configuration')).toEqual([
      expect.stringMatching(/^ok other users of the machine cannot read/),
    ])
    await mkdir(join(directory, 'files'))
    await chmod(join(directory, 'files'), 0o755)
    expect((await check()).about('data directory')).toEqual([expect.stringMatching(/^warn every user/)])
  })

  test('finds direct downloads of which nothing comes', async () => {
    const direct = (settings: Settings = {}) => check({ DIRECT_DOWNLOADS: 'true', ...settings })
    const about = 'direct downloads'
    expect((await direct({ DATA_BACKEND: 'memory' })).about(about)).toEqual([
      expect.stringMatching(/^warn DirectDownloads has no effect: the memory store cannot/),
    ])
    const store = await startGcsServer()
    onTestFinished(() => store.close())
    const key = await newGcsKeyFile()
    const google = {
      DATA_BACKEND: 'gcs',
      DATA_BACKEND_CONFIG_BUCKET: store.bucketName,
      DATA_BACKEND_CONFIG_ENDPOINT: store.endpoint,
    }
    expect((await direct(google)).about(about)).toEqual([
      expect.stringMatching(/^warn DirectDownloads has no effect: these credentials .* cannot sign/),
    ])
    const signing = await direct({ ...google, DATA_BACKEND_CONFIG_KEY_FILE: key.path })
    expect([signing.status, signing.about(about)]).toEqual([0, []])
  })

  test('finds an identity provider that cannot be reached', async () => {
    const { status, about } = await check({
      OIDC_CLIENT_ID: 'svc',
      OIDC_CLIENT_SECRET: 'canary-secret',
      OIDC_PROVIDER_URL: `http://127.0.0.1:${String(await freePort())}`,
    })
    expect([status, about('oidc')]).toEqual([
      1,
      [expect.stringMatching(/^fail the provider cannot be reached: /)],
    ])
  })

  test('names the setting for a certificate of a private authority', async () => {
    const { key, cert } = selfSigned(directory, { name: 'private', holder: 'DNS:localhost', days: 90 })
    const files = { key: await readFile(key), cert: await readFile(cert) }
    const server = createTlsServer(files, (_request, response) => response.end('ok')).listen(0, 'localhost')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { status, about } = await check({ SVC_DOMAIN: `https://localhost:${String(port)}` })
    expect([status, about('SvcDomain')]).toEqual([
      1,
      [
        expect.stringMatching(
          /^fail .*: browsers refuse this certificate\. If its authority is your own, set NODE_EXTRA_CA_CERTS to its PEM file$/,
        ),
      ],
    ])
  })

  test('looks at the certificate: its end, its key and its names', async () => {
    const certificate = async (name: string, days: number) => {
      const { key, cert } = selfSigned(directory, { name, holder: 'DNS:svc.test', days })
      await chmod(key, 0o600)
      return { SSL_ENABLED: 'true', SSL_KEY: key, SSL_CERT: cert }
    }
    const clock = { clock: systemClock }
    const good = await certificate('good', 90)
    expect((await check(good, clock)).about('SslCert')).toEqual([
      'ok the certificate is valid for 89 more days',
    ])
    const soon = await certificate('soon', 3)
    expect((await check(soon, clock)).about('SslCert')).toEqual([
      'warn the certificate expires in 2 days: renew it',
    ])
    const later = { ...systemClock, now: () => Date.now() + 100 * 86_400_000 }
    expect((await check(good, { clock: later })).about('SslCert')).toEqual([
      'fail the certificate has expired: renew it',
    ])
    expect((await check({ ...good, SSL_KEY: soon.SSL_KEY }, clock)).about('SslCert')).toEqual([
      'fail SslKey belongs to another certificate',
    ])
    const other = await check({ ...good, SVC_DOMAIN: 'https://localhost:9' }, clock)
    expect(other.about('SslCert')).toContainEqual(expect.stringMatching(/^warn .* is not for localhost/))
  })
})
