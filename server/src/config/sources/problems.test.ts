import { describe, expect, test } from 'vitest'
import { load, loadToml, problemsOf, problemsOfToml } from '../loading.fixture.ts'
import { ConfigError } from './problems.ts'

describe('keys', () => {
  test('ignore case, sections too', () => {
    const config = loadToml('LISTENPORT = 9\nmaxfilesizestr = 5\n[databackendconfig]\ndirectory = "/data"')
    expect(config).toMatchObject({ listenPort: 9, maxFileSize: 5, dataBackend: { directory: '/data' } })
  })

  test('of a section can be written with a dot', () => {
    expect(loadToml('DataBackendConfig.Directory = "/data"').dataBackend).toMatchObject({
      directory: '/data',
    })
  })

  test('must not be set twice in different case', () => {
    expect(problemsOfToml('ListenPort = 1\nlistenPort = 2')).toEqual([
      {
        key: 'ListenPort',
        source: '/work/svcd.toml',
        message: 'is set twice (keys ignore case): keep only one',
      },
    ])
  })

  test.each([
    ['MaxFileSize = 1', 'MaxFileSize', 'unknown key: did you mean MaxFileSizeStr?'],
    ['listen_port = 1', 'listen_port', 'unknown key: did you mean ListenPort?'],
    ['Xyzzy = 1', 'Xyzzy', 'unknown key: remove it'],
    ['__proto__ = 1', '__proto__', 'unknown key: remove it'],
    [
      '[DataBackendConfig]\nDirectroy = "x"',
      'DataBackendConfig.Directroy',
      'unknown key: did you mean Directory?',
    ],
    [
      '[DataBackendConfig]\nListenPort = 1',
      'DataBackendConfig.ListenPort',
      'unknown key: ListenPort belongs above the first [section]',
    ],
    [
      'databackendconfig = "x"',
      'databackendconfig',
      'is a section: write its keys below a line [DataBackendConfig]',
    ],
    [
      '[DataBackendConfg]\nDirectory = "x"',
      'DataBackendConfg',
      'unknown key: did you mean DataBackendConfig?',
    ],
  ])('%j is rejected with advice', (toml, key, message) => {
    expect(problemsOfToml(toml)).toEqual([{ key, source: '/work/svcd.toml', message }])
  })

  test('of a map in a variable are checked too', () => {
    const source = 'SVCD_DATA_BACKEND_CONFIG'
    expect(problemsOf({ environment: { [source]: '{"Colour":"x"}' } })).toEqual([
      { key: 'DataBackendConfig.Colour', source, message: 'unknown key: remove it' },
    ])
    for (const map of ['', 'Directory', '[]', 'null', '"x"', '{']) {
      expect(problemsOf({ environment: { [source]: map } })).toEqual([
        { key: 'DataBackendConfig', source, message: 'is not a JSON map: write for example {"Key":"value"}' },
      ])
    }
  })
})

describe('problems', () => {
  test('are listed all at once, with key, source and advice', () => {
    const sources = {
      files: {
        '/work/svcd.toml': 'ListenPort = 70000\nMaxTTLStr = "1h"\nSslEnabled = true\nSslKey = "key.pem"',
      },
      environment: { SVCD_MAX_FILE_SIZE_STR: 'lots', SVCD_LOG_LEVLE: 'info', SVCD_FEATURE_STREAM: 'on' },
    }
    expect(() => load(sources)).toThrow(
      new ConfigError([
        { key: 'SVCD_LOG_LEVLE', message: 'unknown variable: did you mean SVCD_LOG_LEVEL?' },
        {
          key: 'ListenPort',
          source: '/work/svcd.toml',
          message: '70000 is not a whole number from 0 to 65535',
        },
        {
          key: 'MaxFileSizeStr',
          source: 'SVCD_MAX_FILE_SIZE_STR',
          message:
            '"lots" is not a size, not 0, or `unlimited`: write for example `10 GB`, `10GiB` or `500000`',
        },
        {
          key: 'FeatureStream',
          source: 'SVCD_FEATURE_STREAM',
          message: '"on" is not one of `disabled`, `enabled`, `default`, `forced`',
        },
        { key: 'DefaultTTLStr', message: '30d is above MaxTTLStr (1h): lower it, or raise MaxTTLStr' },
        { key: 'SslCert', message: 'is required by SslEnabled: write the path of a PEM file' },
        {
          key: 'SslKey',
          source: '/work/svcd.toml',
          message: 'the file /work/key.pem cannot be read: no such file /work/key.pem',
        },
      ]),
    )
  })

  test('are formatted as a list', () => {
    const error = new ConfigError([
      { key: 'A', message: 'is bad' },
      { key: 'B', source: 'SVCD_B', message: 'is worse' },
    ])
    expect(error.message).toBe('the configuration has 2 problems:\n  - A: is bad\n  - B (SVCD_B): is worse')
  })

  test('in the syntax of the file have file, line and column, and problems of variables are still listed', () => {
    const files = { '/work/svcd.toml': 'Path = "/a"\nListenPort = = 1\n' }
    const problems = problemsOf({ files, environment: { SVCD_LISTEN_PORT: 'x' } })
    expect(problems.map(({ key }) => key)).toEqual(['/work/svcd.toml', 'ListenPort'])
    expect(problems[0]?.message).toMatch(/^line 2, column \d+: \S/)
  })

  test('with a number that is too large have its key, like other invalid values', () => {
    expect(problemsOfToml('MaxFileSizeStr = 9223372036854775807').map(({ key }) => key)).toEqual([
      'MaxFileSizeStr',
    ])
  })

  test('never show a secret', () => {
    const toml = '[MetadataBackendConfig]\nConnectionString = ["hunter2"]'
    expect(problemsOfToml(toml)).toEqual([
      {
        key: 'MetadataBackendConfig.ConnectionString',
        source: '/work/svcd.toml',
        message:
          'the value is not a path, `:memory:`, or an address like `postgres://user:password@host/database`',
      },
    ])
  })

  test('do not report a key because of the default of another key that failed', () => {
    const problems = problemsOfToml('DefaultTTLStr = "60d"\nMaxTTLStr = "90 days"')
    expect(problems.map(({ key }) => key)).toEqual(['MaxTTLStr'])
  })
})

test.each([
  ['OIDCClientID = "svc"', ['OIDCClientSecret', 'OIDCProviderURL']],
  ['Idp1ApiSecret = "x"', ['Idp1ApiClientID']],
  ['Idp3ApiKey = "x"', ['Idp3ApiSecret']],
])('a provider needs all its keys: %j', (toml, missing) => {
  expect(problemsOfToml(toml).map(({ key }) => key)).toEqual(missing)
})
