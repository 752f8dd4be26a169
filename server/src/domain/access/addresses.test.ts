import { describe, expect, test } from 'vitest'
import { addressMatcher, networkOf, plainAddress, sourceAddress } from './addresses.ts'

const proxies = addressMatcher(['10.0.0.0/8', '2001:db8::/32', '127.0.0.1'])

describe('the source of a request', () => {
  test.each([
    ['without a proxy it is the peer', '203.0.113.9', undefined, '203.0.113.9'],
    ['a peer that is not a proxy cannot name another', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['behind one proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['behind three proxies', '10.0.0.1', '203.0.113.9, 10.0.0.3, 10.0.0.2', '203.0.113.9'],
    [
      'what the client wrote itself does not count',
      '10.0.0.1',
      '1.1.1.1, 203.0.113.9, 10.0.0.2',
      '203.0.113.9',
    ],
    ['an address mapped into IPv6 is the same address', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['IPv6', '2001:db8::1', '2001:470::7', '2001:470::7'],
    ['a proxy that adds the port', '10.0.0.1', '203.0.113.9:4711, 10.0.0.2:80', '203.0.113.9'],
    ['IPv6 with a port', '10.0.0.1', '[2001:470::7]:4711', '2001:470::7'],
    ['IPv6 in brackets', '10.0.0.1', '[2001:470::7]', '2001:470::7'],
    ['the interface of another machine is ignored', '10.0.0.1', 'fe80::7%eth0', 'fe80::7'],
    ['brackets around an IPv4 address', '10.0.0.1', '[203.0.113.9]:4711', '10.0.0.1'],
    ['an invalid port', '10.0.0.1', '203.0.113.9:http', '10.0.0.1'],
    [
      'invalid text ends the search at the last proxy',
      '10.0.0.1',
      '203.0.113.9, <script>, 10.0.0.2',
      '10.0.0.2',
    ],
    ['only proxies: the farthest of them', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a hop that is longer than any address', '10.0.0.1', `203.0.113.9:${'0'.repeat(200)}80`, '10.0.0.1'],
    ['colons without a closing bracket', '10.0.0.1', `[${':'.repeat(30_000)}`, '10.0.0.1'],
    [
      'an address in IPv6 in the header is the same address',
      '10.0.0.1',
      '::ffff:203.0.113.9, ::ffff:10.0.0.2',
      '203.0.113.9',
    ],
    ['text before an address with a port', '10.0.0.1', 'for=203.0.113.9:80', '10.0.0.1'],
    ['the longest hop', '10.0.0.1', `fe80::7%${'e'.repeat(92)}`, 'fe80::7'],
    ['a hop of one character more', '10.0.0.1', `fe80::7%${'e'.repeat(93)}`, '10.0.0.1'],
    ['no address before the last proxy', '10.0.0.1', ',10.0.0.2', '10.0.0.2'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ])('%s', (_case, peer, forwardedFor, expected) => {
    expect(sourceAddress(peer, forwardedFor, proxies)).toBe(expected)
  })
})

test('addresses left of the first untrusted one are never read', () => {
  const checked: string[] = []
  const trusted = (address: string) => {
    checked.push(address)
    return proxies(address)
  }
  const written = `${'10.0.0.9,'.repeat(3_000)}203.0.113.9,10.0.0.2`
  expect(sourceAddress('10.0.0.1', written, trusted)).toBe('203.0.113.9')
  expect(checked).toEqual(['10.0.0.1', '10.0.0.2', '203.0.113.9'])
})

test.each([
  ['::ffff:192.0.2.0/120', '192.0.2.255', true],
  ['::ffff:192.0.2.0/120', '192.0.3.0', false],
  ['::ffff:192.0.2.7', '192.0.2.7', true],
  ['::ffff:192.0.2.7', '192.0.2.8', false],
  ['::ffff:0:0/96', '203.0.113.9', true],
  ['::ffff:0:0/96', '2001:db8::1', false],
  ['192.0.2.0/24', '::ffff:192.0.2.9', true],
])('%s has %s: %s, also where IPv4 is written inside IPv6', (network, address, isInside) => {
  expect(addressMatcher([network])(address)).toBe(isInside)
})

test('membership ends where the network ends', () => {
  const matches = addressMatcher(['192.0.2.0/25'])
  expect(
    ['192.0.2.0', '192.0.2.127', '192.0.2.128', '192.0.1.255', '::ffff:192.0.2.5', 'x', ''].map(matches),
  ).toEqual([true, true, false, false, true, false, false])
})

test.each(['192.0.2.7', '2001:db8::7'])('the network %s is one address', (address) => {
  const matches = addressMatcher([address])
  const others = ['192.0.2.6', '192.168.0.1', '2001:db8::8', '2001:db8:0:1::7']
  expect([address, ...others].map(matches)).toEqual([true, false, false, false, false])
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '::ffff:c000:207'],
  ['abcdef:192.0.2.7', 'abcdef:192.0.2.7'],
  ['2001:db8::7', '2001:db8::7'],
])('the plain address of %s is %s', (address, plain) => {
  expect(plainAddress(address)).toBe(plain)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8::7', '2001:db8::'],
  ['fe80::7%eth0', 'fe80::'],
  ['no: address', 'no: address'],
  ['', ''],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
