import { expect, test } from 'vitest'
import { ownerName } from './owner-name.ts'

test.for([
  ['local:ada', 'ada'],
  ['local:a:b', 'a:b'],
  ['oidc:ada', 'ada (The oidc provider)'],
  ['idp1:ada@example.org', 'ada@example.org (The idp1 provider)'],
  ['other:ada', 'other:ada'],
])('the owner %s is shown as %s', ([userID = '', name]) => {
  expect(ownerName(userID, (provider) => `The ${provider} provider`)).toBe(name)
})
