import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Config } from './config.ts'
import { defaultConfig, loadConfig } from './load.ts'
import { load, loadToml, problemsOf } from './loading.fixture.ts'

const product = resolve(import.meta.dirname, '../../..')

describe('without any configuration', () => {
  test('every key has its default', () => {
    expect(load({})).toEqual({
      listenAddress: '127.0.0.1',
      listenPort: 8080,
      path: '',
      svcDomain: '',
      downloadDomain: '',
      downloadDomainAlias: [],
      ssl: null,
      assumeHTTPS: false,
      trustedProxies: [],
      uploadWhitelist: [],
      hstsMaxAge: 31_536_000,
      maxConnectionsPerAddress: 512,
      minUploadSpeed: 1_000,
      maxFileSize: 10_000_000_000,
      maxUserSize: -1,
      defaultTTL: 2_592_000,
      maxTTL: 2_592_000,
      maxFilePerUpload: 1000,
      minFreeSpace: 1_000_000_000,
      budgets: {
        uploads: 2_000,
        files: 50_000,
        bytes: 100_000_000_000,
        cliCodes: 100,
        passwordUploads: 500,
        qrCodes: 1_000,
        exempt: [],
      },
      dataBackend: { kind: 'file', directory: '/work/files', fsync: true },
      directDownloads: false,
      metadataBackend: { driver: 'sqlite3', connectionString: '/work/svc.db', fsync: true },
      webappDirectory: `${product}/webapp/dist`,
      clientsDirectory: `${product}/clients`,
      changelogDirectory: `${product}/changelog`,
      logLevel: 'info',
      logFormat: 'auto',
      cleaningInterval: 300,
      retention: 7 * 24 * 60 * 60,
      verifyInterval: 0,
      shutdownTimeout: 60,
      streamTimeout: 300,
      resumableTTL: 24 * 60 * 60,
      workers: 1,
      metrics: null,
      instanceURL: '',
      activityAddresses: false,
      abuseContact: '',
      features: {
        feature_authentication: 'disabled',
        feature_one_shot: 'enabled',
        feature_removable: 'enabled',
        feature_stream: 'enabled',
        feature_password: 'enabled',
        feature_comments: 'enabled',
        feature_set_ttl: 'enabled',
        feature_extend_ttl: 'disabled',
        feature_text: 'enabled',
        feature_requests: 'enabled',
        feature_e2ee: 'enabled',
        feature_local_login: 'enabled',
        feature_delete_account: 'enabled',
        feature_clients: 'enabled',
        feature_api_tokens: 'enabled',
        feature_mail: 'disabled',
        feature_previews: 'enabled',
      },
      accounts: {
        sessionTimeout: 2_592_000,
        cliTokenTimeout: 7_776_000,
        defaultAdmin: null,
        providers: { idp1: null, idp2: null, idp3: null, oidc: null },
      },
      notifications: {
        webhook: null,
        mail: null,
        linkMail: null,
        webhooksPerUser: 10,
        privateNetworks: [],
        timeoutMs: 15_000,
      },
    } satisfies Config)
  })

  test('defaultConfig gives the same', () => {
    expect(defaultConfig('/work')).toEqual(load({}))
  })
})

describe('the file is the first of', () => {
  const files = {
    '/work/named.toml': 'ListenPort = 1',
    '/else/variable.toml': 'ListenPort = 2',
    '/work/svcd.toml': 'ListenPort = 3',
    '/etc/svcd.toml': 'ListenPort = 4',
  }
  const environment = { SVCD_CONFIG: '/else/variable.toml' }

  test('--config, relative to the working directory', () => {
    expect(load({ file: 'named.toml', environment, files }).listenPort).toBe(1)
  })

  test('SVCD_CONFIG', () => {
    expect(load({ environment, files }).listenPort).toBe(2)
  })

  test('svcd.toml in the working directory; an empty SVCD_CONFIG names none', () => {
    expect(load({ environment: { SVCD_CONFIG: '' }, files }).listenPort).toBe(3)
  })

  test('/etc/svcd.toml', () => {
    expect(load({ files: { '/etc/svcd.toml': files['/etc/svcd.toml'] } }).listenPort).toBe(4)
  })

  test('/etc/svcd.toml in a working directory that the user cannot enter', () => {
    expect(load({ files, isDirectoryClosed: true }).listenPort).toBe(4)
    expect(load({ files: {}, isDirectoryClosed: true }).listenPort).toBe(load({}).listenPort)
    expect(problemsOf({ file: 'named.toml', files, isDirectoryClosed: true })).toEqual([
      {
        key: '/work/named.toml',
        message: 'the configuration file cannot be read: EACCES: /work/named.toml',
      },
    ])
  })

  test('a missing named file prevents the start, even if others exist', () => {
    expect(problemsOf({ file: 'gone.toml', files })).toEqual([
      {
        key: '/work/gone.toml',
        message: 'the configuration file cannot be read: no such file /work/gone.toml',
      },
    ])
  })

  test('an unreadable file prevents the start', () => {
    const readFile = (): string => {
      throw Object.assign(new Error('permission denied'), { code: 'EACCES' })
    }
    expect(() => loadConfig({ environment: {}, directory: '/work', readFile })).toThrow(
      '/work/svcd.toml: the',
    )
  })
})

describe('variables', () => {
  test('override the file, and nothing else', () => {
    const config = load({
      files: { '/work/svcd.toml': 'ListenPort = 1\nAbuseContact = "a@example.org"' },
      environment: { SVCD_LISTEN_PORT: '2', PATH: '/bin', SVCDISH: 'x' },
    })
    expect(config).toEqual({ ...defaultConfig('/work'), listenPort: 2, abuseContact: 'a@example.org' })
  })

  test('replace lists', () => {
    const config = load({
      files: { '/work/svcd.toml': 'TrustedProxies = ["10.0.0.0/8", "::1"]' },
      environment: { SVCD_TRUSTED_PROXIES: '["192.168.0.0/16"]' },
    })
    expect(config.trustedProxies).toEqual(['192.168.0.0/16'])
  })

  test('merge a map into its section, key by key', () => {
    const config = load({
      files: { '/work/svcd.toml': '[MetadataBackendConfig]\nDriver = "sqlite3"\nConnectionString = "a.db"' },
      environment: { SVCD_METADATA_BACKEND_CONFIG: '{"driver":"sqlite3"}' },
    })
    expect(config.metadataBackend).toEqual({ driver: 'sqlite3', connectionString: '/work/a.db', fsync: true })
  })

  test.each([
    [{ SVCD_DATA_BACKEND_CONFIG: '{"Directory":"map"}', SVCD_DATA_BACKEND_CONFIG_DIRECTORY: 'single' }],
    [{ SVCD_DATA_BACKEND_CONFIG_DIRECTORY: 'single', SVCD_DATA_BACKEND_CONFIG: '{"Directory":"map"}' }],
  ])('of a single key override the map, in any order', (environment) => {
    expect(load({ environment }).dataBackend).toMatchObject({ directory: '/work/single' })
  })

  test('of a secret can name a file, whose last newline is ignored', () => {
    const config = load({
      files: { '/work/secrets/db': '/data/svc.db\n' },
      environment: { SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING_FILE: 'secrets/db' },
    })
    expect(config.metadataBackend.connectionString).toBe('/data/svc.db')
  })

  test('must not set a secret twice, nor name an unreadable file', () => {
    const file = 'SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING_FILE'
    const plain = 'SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING'
    const key = 'MetadataBackendConfig.ConnectionString'
    expect(problemsOf({ files: { '/db': 'x' }, environment: { [file]: '/db', [plain]: 'y' } })).toEqual([
      { key, source: file, message: `is also set by ${plain}: keep only one` },
    ])
    expect(problemsOf({ environment: { [file]: '/gone' } })).toEqual([
      { key, source: file, message: 'the file /gone cannot be read: no such file /gone' },
    ])
  })

  test('with the suffix _FILE exist only for secrets', () => {
    expect(problemsOf({ environment: { SVCD_LISTEN_PORT_FILE: '/port' } })).toEqual([
      { key: 'SVCD_LISTEN_PORT_FILE', message: 'unknown variable: did you mean SVCD_LISTEN_PORT?' },
    ])
  })
})

describe('relative paths', () => {
  test('start from the folder of the file that sets them', () => {
    const toml =
      'WebappDirectory = "web"\nClientsDirectory = "/abs"\n[DataBackendConfig]\nDirectory = "../data"'
    expect(load({ file: '/etc/svc/a.toml', files: { '/etc/svc/a.toml': toml } })).toMatchObject({
      webappDirectory: '/etc/svc/web',
      clientsDirectory: '/abs',
      dataBackend: { directory: '/etc/data' },
    })
  })

  test('start from the working directory in a variable', () => {
    const environment = {
      SVCD_WEBAPP_DIRECTORY: 'web',
      SVCD_METADATA_BACKEND_CONFIG: '{"ConnectionString":"a.db"}',
    }
    expect(load({ environment })).toMatchObject({
      webappDirectory: '/work/web',
      metadataBackend: { connectionString: '/work/a.db' },
    })
  })

  test.each([':memory:', 'file:svc.db?mode=ro'])(
    'leave the database name %s as it is',
    (connectionString) => {
      const toml = `[MetadataBackendConfig]\nConnectionString = "${connectionString}"`
      expect(loadToml(toml).metadataBackend).toEqual({ driver: 'sqlite3', connectionString, fsync: true })
    },
  )
})
