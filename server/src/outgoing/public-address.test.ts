import { expect, test } from 'vitest'
import { addressRule, isPublicAddress } from './public-address.ts'

test.each(['93.184.216.34', '1.1.1.1', '2606:4700::1111', '::ffff:1.1.1.1'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200', // metadata of Alibaba
  '127.0.0.1',
  '168.63.129.16', // platform of Azure
  '169.254.169.254', // metadata of most clouds
  '172.16.0.1',
  '192.0.0.192', // metadata of Oracle
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  '2001::1',
  'fc00::1',
  'fd00:ec2::254', // metadata of Amazon
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('networks can be allowed', () => {
  const mayConnect = addressRule(['10.0.0.0/8', 'fd00::/8'])
  expect(['10.1.2.3', 'fd12::1', '1.1.1.1', '127.0.0.1', 'fe80::1'].map(mayConnect)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

test('public addresses of the machine itself are refused unless they are allowed', () => {
  const own = () => ['93.184.216.34', '2606:4700:0:0::1111', 'fe80::1%eth0']
  const mayConnect = addressRule(['203.0.114.0/24'], () => [...own(), '203.0.114.7'])
  const addresses = [
    '93.184.216.34',
    '::ffff:93.184.216.34',
    '2606:4700::1111',
    '93.184.216.35',
    '203.0.114.7',
  ]
  expect(addresses.map(mayConnect)).toEqual([false, false, false, true, true])
})

test('the addresses of the machine are read when a connection is made', () => {
  const own: string[] = []
  const mayConnect = addressRule([], () => own)
  expect(mayConnect('93.184.216.34')).toBe(true)
  own.push('93.184.216.34')
  expect(mayConnect('93.184.216.34')).toBe(false)
})
