import { expect, test } from 'vitest'
import { loadToml, problemsOfToml } from './loading.fixture.ts'

test('upload requests of accounts need accounts', () => {
  expect(problemsOfToml('FeatureRequests = "forced"').map(({ key, message }) => [key, message])).toEqual([
    ['FeatureRequests', 'needs accounts: set FeatureAuthentication = "enabled", or "disabled" here'],
  ])
  const { features } = loadToml('FeatureRequests = "forced"\nFeatureAuthentication = "enabled"')
  expect(features.feature_requests).toBe('forced')
})
