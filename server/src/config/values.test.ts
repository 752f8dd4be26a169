import { describe, expect, test } from 'vitest'
import { valueOf } from './value-of.fixture.ts'

describe('numbers', () => {
  test.each([
    ['0', 0],
    ['65535', 65_535],
    ['"8080"', 8080],
    ['8080.0', 8080],
    ['65536', 'refused'],
    ['-1', 'refused'],
    ['80.5', 'refused'],
    ['""', 'refused'],
    ['"0x50"', 'refused'],
    ['true', 'refused'],
    ['nan', 'refused'],
    ['9223372036854775807', 'refused'],
    ['1979-05-27', 'refused'],
  ])('ListenPort = %s gives %j', (written, port) => {
    expect(valueOf('listenPort', `ListenPort = ${written}`)).toBe(port)
  })

  test.each([
    ['1', 1],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['0', 'refused'],
    ['9007199254740992', 'refused'],
  ])('MaxFilePerUpload = %s gives %j', (written, count) => {
    expect(valueOf('maxFilePerUpload', `MaxFilePerUpload = ${written}`)).toBe(count)
  })
})

describe('sizes', () => {
  test.each([
    ['500000', 500_000],
    ['1', 1],
    ['"2 GB"', 2_000_000_000],
    ['-1', -1],
    ['"unlimited"', -1],
    ['0', 'refused'],
    ['-2', 'refused'],
    ['1.5', 'refused'],
    ['true', 'refused'],
    ['["1"]', 'refused'],
  ])('MaxFileSizeStr = %s gives %j', (written, bytes) => {
    expect(valueOf('maxFileSize', `MaxFileSizeStr = ${written}`)).toBe(bytes)
  })

  test.each([
    ['0', 0],
    ['"5 MB"', 5_000_000],
    ['"unlimited"', 'refused'],
  ])('MinFreeSpaceStr = %s gives %j', (written, bytes) => {
    expect(valueOf('minFreeSpace', `MinFreeSpaceStr = ${written}`)).toBe(bytes)
  })
})

describe('durations', () => {
  test.each([
    ['"30d"', 2_592_000],
    ['"30d1s"', 2_592_001],
    ['0', 0],
    ['-1', -1],
    ['"unlimited"', -1],
    ['"36500d"', 3_153_600_000],
    ['"36500d1s"', 'refused'],
    ['"29d23h59m59s"', 'refused'], // below DefaultTTLStr
    ['"soon"', 'refused'],
  ])('MaxTTLStr = %s gives %j', (written, seconds) => {
    expect(valueOf('maxTTL', `MaxTTLStr = ${written}`)).toBe(seconds)
  })

  test.each([
    ['1', 1],
    ['"30d"', 2_592_000],
    ['"30d1s"', 'refused'], // above MaxTTLStr
    ['"unlimited"', 'refused'], // MaxTTLStr is a limit
    ['0', 'refused'],
    ['"unlimited"\nMaxTTLStr = 0', -1],
    ['"60d"\nMaxTTLStr = "unlimited"', 5_184_000],
  ])('DefaultTTLStr = %s gives %j', (written, seconds) => {
    expect(valueOf('defaultTTL', `DefaultTTLStr = ${written}`)).toBe(seconds)
  })

  test.each([
    ['1', 1],
    ['"24d"', 2_073_600],
    ['0', 'refused'],
    ['"24d1s"', 'refused'], // a timer would overflow and fire at once
    ['"unlimited"', 'refused'],
  ])('CleaningIntervalStr = %s gives %j', (written, seconds) => {
    expect(valueOf('cleaningInterval', `CleaningIntervalStr = ${written}`)).toBe(seconds)
  })

  test.each([
    ['0', 0],
    ['-1', 'refused'],
  ])('ShutdownTimeoutStr = %s gives %j', (written, seconds) => {
    expect(valueOf('shutdownTimeout', `ShutdownTimeoutStr = ${written}`)).toBe(seconds)
  })
})

describe('choices and texts', () => {
  test('the memory backend needs no directory', () => {
    expect(valueOf('dataBackend', 'DataBackend = "memory"')).toEqual({ kind: 'memory' })
  })

  test('the s3 backend has its settings', () => {
    const bucket = 'DataBackend = "s3"\n[DataBackendConfig]\nBucket = "b"\n'
    const usual = {
      kind: 's3',
      endpoint: '',
      region: 'us-east-1',
      accessKeyID: '',
      secretAccessKey: '',
      bucket: 'b',
      prefix: '',
      pathStyle: false,
      partSize: 16_777_216,
      partConcurrency: 4,
      sse: '',
    }
    expect(valueOf('dataBackend', bucket)).toEqual(usual)
    const settings =
      'Endpoint = "https://s3.example"\nRegion = "r"\nAccessKeyID = "a"\nSecretAccessKey = "s"\n' +
      'Prefix = "svc/up-"\nPathStyle = true\nPartSize = "5MiB"\nPartConcurrency = 1\nSSE = "AES256"'
    expect(valueOf('dataBackend', bucket + settings)).toEqual({
      ...usual,
      endpoint: 'https://s3.example',
      region: 'r',
      accessKeyID: 'a',
      secretAccessKey: 's',
      prefix: 'svc/up-',
      pathStyle: true,
      partSize: 5_242_880,
      partConcurrency: 1,
      sse: 'AES256',
    })
  })

  test('the gcs backend has its settings', () => {
    const bucket = 'DataBackend = "gcs"\n[DataBackendConfig]\nBucket = "b"\n'
    const usual = { kind: 'gcs', bucket: 'b', prefix: '', keyFile: '', endpoint: '' }
    expect(valueOf('dataBackend', bucket)).toEqual(usual)
    const settings = 'Prefix = "svc/"\nKeyFile = "/keys/svc.json"\nEndpoint = "https://gcs.example/"'
    expect(valueOf('dataBackend', bucket + settings)).toEqual({
      ...usual,
      prefix: 'svc/',
      keyFile: '/keys/svc.json',
      endpoint: 'https://gcs.example',
    })
  })

  const swift = (more: string) =>
    `DataBackend = "swift"\n[DataBackendConfig]\nAuthURL = "https://keystone.example/v3/"\nUserName = "u"\nApiKey = "k"\nContainer = "c"\n${more}`

  test('the swift backend has its settings', () => {
    const usual = {
      kind: 'swift',
      authURL: 'https://keystone.example/v3',
      authVersion: '3',
      userName: 'u',
      apiKey: 'k',
      domain: 'Default',
      project: 'p',
      region: '',
      container: 'c',
      segmentSize: 33_554_432,
    }
    expect(valueOf('dataBackend', swift('Project = "p"'))).toEqual(usual)
    const settings = 'AuthVersion = 1\nDomain = "d"\nRegion = "r"\nSegmentSize = "64MiB"'
    expect(valueOf('dataBackend', swift(settings))).toEqual({
      ...usual,
      authVersion: '1',
      domain: 'd',
      project: '',
      region: 'r',
      segmentSize: 67_108_864,
    })
  })

  test('the largest file is at most 500 segments of swift', () => {
    const sized = (size: string) =>
      `MaxFileSizeStr = ${size}\n${swift('Project = "p"\nSegmentSize = "1MiB"')}`
    expect(valueOf('maxFileSize', sized('524288000'))).toBe(524_288_000)
    expect(valueOf('maxFileSize', sized('524288001'))).toBe('refused')
    expect(valueOf('maxFileSize', sized('"unlimited"'))).toBe(-1)
  })

  test('the file backend has its settings', () => {
    expect(valueOf('dataBackend', 'FsyncUploads = false\nMinFreeSpaceStr = 7')).toEqual({
      kind: 'file',
      directory: '/files',
      fsync: false,
    })
  })

  test.each([
    'DataBackend = "s3"',
    'DataBackend = "s3"\n[DataBackendConfig]\nBucket = "b"\nAccessKeyID = "a"',
    'DataBackend = "s3"\n[DataBackendConfig]\nBucket = "b"\nSecretAccessKey = "s"',
    'DataBackend = "s3"\n[DataBackendConfig]\nBucket = "b"\nPartSize = 5242879',
    'DataBackend = "s3"\n[DataBackendConfig]\nBucket = "b"\nPartConcurrency = 0',
    'DataBackend = "s3"\n[DataBackendConfig]\nBucket = "b"\nSSE = "rot13"',
    ...['/a', '../a', 'a/./b', 'a//b', 'a b', 'ä'].map(
      (prefix) => `DataBackend = "s3"\n[DataBackendConfig]\nBucket = "b"\nPrefix = "${prefix}"`,
    ),
    'DataBackend = "gcs"',
    swift(''),
    swift('Project = "p"\nAuthVersion = 2'),
    swift('Project = "p"\nSegmentSize = 1048575'),
    swift('Project = "p"\nSegmentSize = "2GiB"'),
    swift('Project = "p"').replace('Container = "c"', 'Container = "c/d"'),
    'DataBackend = "File"',
    'DataBackend = 1',
    '[MetadataBackendConfig]\nDriver = "oracle"',
  ])('%j is rejected', (toml) => {
    expect(valueOf('dataBackend', toml)).toBe('refused')
  })

  test.each([
    ['FeatureOneShot', 'forced', 'accepted'],
    ['FeatureExtendTTL', 'default', 'accepted'],
    ['FeatureE2EE', 'disabled', 'accepted'],
    ['FeatureE2EE', 'forced', 'refused'],
    ['FeatureOneShot', 'on', 'refused'],
    ['FeatureAuthentication', 'disabled', 'accepted'],
    ['FeatureAuthentication', 'enabled', 'accepted'],
    ['FeatureAuthentication', 'default', 'accepted'],
    ['FeatureAuthentication', 'forced', 'accepted'],
    ['FeatureAuthentication', 'sometimes', 'refused'],
    ['FeatureStream', 'forced', 'accepted'],
    ['FeatureStream', 'on', 'refused'],
  ])('%s = %j is %s', (key, value, outcome) => {
    const features = valueOf('features', `${key} = "${value}"`)
    expect(features === 'refused' ? 'refused' : 'accepted').toBe(outcome)
  })

  test.each([
    ['http://10.0.0.5:8081', 'accepted'],
    ['http://[::1]:8081/', 'accepted'],
    ['', 'accepted'],
    ['http://10.0.0.5', 'refused'],
    ['http://10.0.0.5:0', 'refused'],
    ['http://10.0.0.5:70000', 'refused'],
    ['https://10.0.0.5:8081', 'refused'],
    ['http://10.0.0.5:8081/path', 'refused'],
  ])('the address of an instance, %j, is %s', (value, outcome) => {
    const found = valueOf('instanceURL', `InstanceURL = "${value}"`)
    expect(found === 'refused' ? 'refused' : 'accepted').toBe(outcome)
  })

  test.each(['1', '"yes"', '"TRUE"', '""'])('a switch cannot be %s', (written) => {
    expect(valueOf('assumeHTTPS', `AssumeHTTPS = ${written}`)).toBe('refused')
  })

  test('a text is one line', () => {
    expect(valueOf('abuseContact', 'AbuseContact = " abuse@example.org "')).toBe('abuse@example.org')
    expect(valueOf('abuseContact', String.raw`AbuseContact = "a\nb"`)).toBe('refused')
    expect(valueOf('abuseContact', 'AbuseContact = 5')).toBe('refused')
  })
})
