import { describe, expect, test } from 'vitest'
import { valueOf } from './value-of.fixture.ts'

describe('addresses', () => {
  test.each(['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost', 'svc-1.internal.example'])(
    '%s can be listened on',
    (host) => {
      expect(valueOf('listenAddress', `ListenAddress = "${host}"`)).toBe(host)
    },
  )

  test.each(['', '127.0.0.256', '127.0.0.1:80', '[::1]', '8080', 'a b', 'http://x', '-x'])(
    '%j cannot be listened on',
    (host) => {
      expect(valueOf('listenAddress', `ListenAddress = "${host}"`)).toBe('refused')
    },
  )

  test.each([
    ['', ''],
    ['https://svc.example', 'https://svc.example'],
    ['https://svc.example/', 'https://svc.example'],
    ['HTTPS://Svc.Example:443/', 'https://svc.example'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['svc.example', 'refused'],
    ['//svc.example', 'refused'],
    ['ftp://svc.example', 'refused'],
    ['https:svc.example', 'refused'],
    ['https://', 'refused'],
    ['https://svc.example/path', 'refused'],
    ['https://svc.example//', 'refused'],
    ['https://svc.example?a=b', 'refused'],
    ['https://svc.example/#a', 'refused'],
    ['https://user@svc.example', 'refused'],
    ['https://svc.example:99999', 'refused'],
    [String.raw`https://svc.example\\a`, 'refused'],
    [' https://svc.example', 'refused'],
  ])('SvcDomain %j gives %j', (written, domain) => {
    expect(valueOf('svcDomain', `SvcDomain = "${written}"`)).toBe(domain)
  })

  test('a download domain needs no server domain', () => {
    expect(valueOf('downloadDomain', 'DownloadDomain = "https://dl.example/"')).toBe('https://dl.example')
  })

  test.each([
    ['[]', []],
    ['["https://a.example/", "http://b.example:81"]', ['https://a.example', 'http://b.example:81']],
    ['["https://a.example", ""]', 'refused'],
    ['["https://a.example", 1]', 'refused'],
    ['"https://a.example"', 'refused'],
  ])('DownloadDomainAlias = %s gives %j', (written, aliases) => {
    expect(valueOf('downloadDomainAlias', `DownloadDomainAlias = ${written}`)).toEqual(aliases)
  })

  test.each([
    ['', ''],
    ['/', ''],
    ['/files', '/files'],
    ['files', '/files'],
    ['/x/y/', '/x/y'],
    ['//x//y', '/x/y'],
    ['/a.b/~c_d-1', '/a.b/~c_d-1'],
    ['/x/..', 'refused'],
    ['/./x', 'refused'],
    ['/x y', 'refused'],
    ['/x%2Fy', 'refused'],
    ['/x?y', 'refused'],
    ['https://svc.example', 'refused'],
  ])('Path %j gives %j', (written, path) => {
    expect(valueOf('path', `Path = "${written}"`)).toBe(path)
  })
})

describe('networks', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.1.2.3/0', '10.1.2.3/0'],
    ['192.168.1.7', '192.168.1.7/32'],
    ['::1', '::1/128'],
    ['2001:db8::/32', '2001:db8::/32'],
  ])('%s is the network %s', (written, network) => {
    expect(valueOf('trustedProxies', `TrustedProxies = ["${written}"]`)).toEqual([network])
    expect(valueOf('uploadWhitelist', `UploadWhitelist = ["${written}"]`)).toEqual([network])
  })

  test.each([
    '',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '010.0.0.0/8',
    '10.0/8',
    '10.0.0.256',
    'fe80::1%eth0',
    'localhost',
    '10.0.0.0/255.0.0.0',
  ])('%j is not a network', (written) => {
    expect(valueOf('trustedProxies', `TrustedProxies = ["${written}"]`)).toBe('refused')
  })
})

describe('HTTPS', () => {
  const ssl = 'SslEnabled = true\nSslCert = "cert.pem"\nSslKey = "key.pem"'

  test('is served with a certificate and a key that can be read', () => {
    expect(valueOf('ssl', ssl)).toEqual({ cert: '/cert.pem', key: '/key.pem' })
    expect(valueOf('ssl', ssl.replace('key.pem', 'gone.pem'))).toBe('refused')
    expect(valueOf('ssl', 'SslEnabled = true\nSslCert = "cert.pem"')).toBe('refused')
  })

  test('is off unless SslEnabled, even if files are named', () => {
    expect(valueOf('ssl', 'SslCert = "gone.pem"\nSslKey = "gone.pem"')).toBeNull()
  })

  test.each([
    ['', false],
    ['AssumeHTTPS = true', true],
    [ssl, true],
    ['SvcDomain = "https://svc.example"', true],
    ['SvcDomain = "http://svc.example"', false],
    ['DownloadDomain = "https://dl.example"', false],
  ])('with %j, assuming it is %j', (toml, assumed) => {
    expect(valueOf('assumeHTTPS', toml)).toBe(assumed)
  })
})
