import type { Configuration } from '@svc/contract'
import { expect, test } from 'vitest'
import { consentURL, identityProviders } from './identity-providers.ts'

const names = { idp1Name: 'One', idp2Name: 'Two', idp3Name: 'Three', oidcProviderName: 'Four' }
const configured = (...on: readonly string[]) =>
  identityProviders({
    ...names,
    ...Object.fromEntries(
      ['idp1', 'idp2', 'idp3', 'oidc'].map((name) => [`${name}Authentication`, on.includes(name)]),
    ),
  } as Configuration)

test('the configured providers are offered by name', () => {
  expect(configured()).toEqual([])
  expect(configured('idp2')).toEqual([{ provider: 'idp2', name: 'Two' }])
  expect(configured('oidc', 'idp1', 'idp3')).toEqual([
    { provider: 'idp1', name: 'One' },
    { provider: 'idp3', name: 'Three' },
    { provider: 'oidc', name: 'Four' },
  ])
})

test.for([
  ['https://idp.example/consent?state=1', 'https://idp.example/consent?state=1'],
  ['http://127.0.0.1:9/a', 'http://127.0.0.1:9/a'],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['/consent', undefined],
  ['<html>', undefined],
  ['', undefined],
] as const)('the consent page of the response %s is %s', ([body, address]) => {
  expect(consentURL(body)).toBe(address)
})
