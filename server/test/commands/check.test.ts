import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../src/check/finding.ts'
import { systemClock } from '../../src/io/system-clock.ts'
import { describeOn, networkKinds, newDatabase, startDatabaseServer } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { newGcsKeyFile } from '../support/gcs-key-file.ts'
import { startGcsServer } from '../support/gcs-server.ts'
import { storeUpload } from '../support/stored-upload.ts'
import { emptyDirectory, removeDirectory } from '../support/svcd.ts'
import { startTestServer, type TestServerOptions } from '../support/test-server.ts'
import { svcd, type CommandLineOptions } from './command-line.ts'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
})
afterEach(() => removeDirectory(directory))

type Settings = Readonly<Record<string, string>>

/** By their names in the environment, without the prefix. */
const environmentOf = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`SVCD_${name}`, value]))

interface Checked {
  readonly status: number
  /** Levels and messages of what was said about something. */
  readonly about: (subject: string) => readonly string[]
}

async function check(settings: Settings = {}, options: CommandLineOptions = {}): Promise<Checked> {
  const environment = { ...environmentOf({ LISTEN_PORT: '0', ...settings }) }
  const { status, output } = await svcd(directory, ['check', '--json'], { environment, ...options })
  const findings = JSON.parse(output) as readonly Finding[]
  return {
    status,
    about: (subject) =>
      findings.filter(({ about }) => about === subject).map(({ level, message }) => `${level} ${message}`),
  }
}

/** Every file below the directory, with its content. */
const everything = () =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .map(
      (entry) =>
        join(entry.parentPath, entry.name) + (entry.isFile() ? contentOf(entry.parentPath, entry.name) : '/'),
    )
    .sort()
/** In `-shm` SQLite notes who reads: that is memory, and no part of the data. */
const contentOf = (folder: string, name: string) =>
  name.endsWith('-shm') ? '' : ` ${hash('md5', readFileSync(join(folder, name)))}`

async function startHere(options: TestServerOptions = {}) {
  const server = await startTestServer({ directory, ...options })
  let open = true
  const close = async () => {
    if (open) await server.close()
    open = false
  }
  onTestFinished(close)
  return { ...server, close }
}

describe('svcd check', () => {
  test('where nothing is yet, finds nothing to mend, says what will be made, and makes nothing', async () => {
    const before = everything()
    const { status, about } = await check()
    expect(status).toBe(0)
    expect(about('database')).toEqual([expect.stringMatching(/^ok .*svc\.db is made at the first start$/)])
    expect(about('data store')).toEqual([expect.stringMatching(/^ok .*files is made at the first start$/)])
    expect(everything()).toEqual(before)
  })

  test('beside a running server and after it, tries everything and leaves nothing', async () => {
    const server = await startHere()
    await storeUpload(server)
    const running = everything()
    const beside = await check()
    expect([beside.status, beside.about('data store')]).toEqual([
      0,
      ['ok bytes can be written, read and deleted'],
    ])
    expect(beside.about('database')).toEqual([
      expect.stringMatching(/^ok SQLite .* answers, its schema is up to date$/),
    ])
    expect(everything()).toEqual(running)
    await server.close()
    const stopped = everything()
    expect((await check()).status).toBe(0)
    expect(everything()).toEqual(stopped)
  })

  test('says one thing a line, and how much there is to mend', async () => {
    const { status, output } = await svcd(directory, ['check'], {
      environment: environmentOf({ SVC_DOMAIN: 'https://nowhere.invalid', LISTEN_PORT: '0' }),
    })
    const lines = output.trimEnd().split('\n')
    const warnings = lines.filter((line) => line.startsWith('warn')).length
    expect([status, lines.at(-1)]).toEqual([1, `1 to mend, ${String(warnings)} to look at`])
    expect(lines.slice(0, -1).filter((line) => !/^(?:ok {2}|warn|fail) {2}[\w ]+: \S/.test(line))).toEqual([])
    expect(output).toContain('fail  SvcDomain: the name nowhere.invalid cannot be resolved')
  })

  test('lists every problem of a configuration that cannot be read, with 1', async () => {
    const { status, about } = await check({ LISTEN_PORT: 'eighty', MAX_FILE_SIZE_STR: 'huge' })
    expect(status).toBe(1)
    for (const key of ['ListenPort', 'MaxFileSizeStr']) expect(about(key)).toHaveLength(1)
  })

  test('finds a data directory that is none, and one that cannot be made', async () => {
    await writeFile(join(directory, 'files'), '')
    expect((await check()).about('data store')).toEqual([
      expect.stringMatching(/^fail the file store cannot be/),
    ])
    const below = await check({ DATA_BACKEND_CONFIG_DIRECTORY: join(directory, 'files/deeper') })
    expect([below.status, below.about('data store')]).toEqual([
      1,
      [expect.stringMatching(/^fail .*deeper cannot be made: ENOTDIR/)],
    ])
  })

  test('finds a disk with less free space than uploads need', async () => {
    await mkdir(join(directory, 'files'))
    const { status, about } = await check({ MIN_FREE_SPACE_STR: '1000000 GB' })
    expect([status, about('free space')]).toEqual([
      1,
      [expect.stringMatching(/^fail .* MinFreeSpaceStr is .*: uploads are refused/)],
    ])
  })

  test('finds a database that is none, and one of a newer program', async () => {
    await writeFile(join(directory, 'svc.db'), 'this is no database, but it is long enough to be read as one')
    expect((await check()).about('database')).toEqual([expect.stringMatching(/^fail .*not a database/)])

    const server = await startHere({ directory: join(directory, 'other') })
    await server.close()
    const path = join(directory, 'other/svc.db')
    const database = new DatabaseSync(path)
    database.exec(`insert into kysely_migration values ('9999-future', '')`)
    database.close()
    const { status, about } = await check({ METADATA_BACKEND_CONFIG_CONNECTION_STRING: path })
    expect([status, about('database')]).toEqual([
      1,
      [expect.stringMatching(/^fail .* newer svcd \(9999-future\)/)],
    ])
  })

  test('finds another instance whose clock is ahead', async () => {
    const server = await startHere()
    const database = new DatabaseSync(join(directory, 'svc.db'))
    database.prepare('update instances set seenAt = ?').run(server.clock.now() + 10_000)
    database.close()
    expect((await check({}, { clock: server.clock })).about('clocks')).toEqual([
      expect.stringMatching(/^warn the clock of another instance is 10 s ahead/),
    ])
  })

  test('knows this service behind SvcDomain, and only wonders where nobody answers', async () => {
    const server = await startHere()
    expect((await check({ SVC_DOMAIN: server.url })).about('SvcDomain')).toEqual([
      `ok ${server.url}/health is this service`,
    ])
    const nobody = await check({ SVC_DOMAIN: `http://127.0.0.1:${String(await freePort())}` })
    expect([nobody.status, nobody.about('SvcDomain')]).toEqual([
      0,
      [expect.stringMatching(/^warn .* does not answer \(.*ECONNREFUSED/)],
    ])
  })

  test('tells a port that svcd has from one that something else has', async () => {
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
      [expect.stringMatching(/^fail something else listens/)],
    ])
    expect((await at(await freePort())).about('ListenPort')).toEqual([
      expect.stringMatching(/^ok .* is free$/),
    ])
  })

  test('finds proxies that are not trusted, and ones that are trusted too much', async () => {
    const domain = { SVC_DOMAIN: 'https://localhost:9' }
    expect((await check(domain)).about('TrustedProxies')).toEqual([
      expect.stringMatching(/^warn SvcDomain is https, but/),
    ])
    const trusting = (network: string) => check({ ...domain, TRUSTED_PROXIES: JSON.stringify([network]) })
    expect((await trusting('0.0.0.0/0')).about('TrustedProxies')).toEqual([
      expect.stringMatching(/^warn 0\.0\.0\.0\/0 trusts everybody/),
    ])
    expect((await trusting('10.0.0.0/8')).about('TrustedProxies')).toEqual([
      'ok proxies and HTTPS fit together',
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
    expect((await check()).about('configuration')).toEqual([expect.stringMatching(/^ok .* is closed/)])
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
    onTestFinished(() => key.remove())
    const google = {
      ...{ DATA_BACKEND: 'gcs', DATA_BACKEND_CONFIG_BUCKET: store.bucketName },
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

  test('looks at the certificate: its end, its key and its names', async () => {
    const certificate = async (name: string, days: number) => {
      const [key, cert] = [join(directory, `${name}.key`), join(directory, `${name}.pem`)]
      const subject = ['-subj', '/CN=svc.test', '-addext', 'subjectAltName=DNS:svc.test']
      const how = [
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        String(days),
      ]
      execFileSync('openssl', ['req', '-x509', ...how, ...subject, '-keyout', key, '-out', cert], {
        stdio: 'ignore',
      })
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
      'warn the certificate ends in 2 days: renew it',
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

for (const kind of networkKinds) {
  describeOn(kind, 'svcd check', () => {
    test('sees a database that is empty, up to date, or away', async () => {
      const database = await startDatabaseServer(kind)
      onTestFinished(() => database.remove())
      const metadataBackend = await newDatabase(kind, database)
      const settings = {
        METADATA_BACKEND_CONFIG_DRIVER: kind,
        METADATA_BACKEND_CONFIG_CONNECTION_STRING: metadataBackend.connectionString,
      }
      const product = kind === 'postgres' ? 'PostgreSQL' : 'MariaDB'
      const clock = { clock: systemClock }
      const empty = await check(settings, clock)
      expect([empty.status, empty.about('clocks')]).toEqual([0, ['ok the clocks agree']])
      expect(empty.about('database')).toEqual([
        expect.stringMatching(new RegExp(`^ok .*${product}.*; the next start migrates it \\(0001-uploads`)),
      ])
      // Still empty: the look was none but a look.
      expect((await check(settings, clock)).about('database')[0]).toContain('0001-uploads')

      const server = await startHere({ config: { metadataBackend } })
      await server.close()
      expect((await check(settings, clock)).about('database')).toEqual([
        expect.stringMatching(new RegExp(`^ok .*${product}.* is up to date$`)),
      ])
      expect((await check(settings)).about('clocks')).toEqual([
        expect.stringMatching(/^warn the clock of the database is \d+ s ahead of that of this machine/),
      ])

      await database.stop()
      const away = await check(settings, clock)
      expect([away.status, away.about('database')]).toEqual([
        1,
        [expect.stringMatching(/^fail .*ECONNREFUSED.*: is it running/)],
      ])
    })
  })
}
