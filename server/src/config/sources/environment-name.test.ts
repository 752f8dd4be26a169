import { optionFlags, switchFlags } from '@svc/contract'
import { expect, test } from 'vitest'
import { environmentName, secretFileName } from './environment-name.ts'
import { optionKeys, sections } from '../options/options.ts'

test.each([
  ['Path', 'SVCD_PATH'],
  ['ListenPort', 'SVCD_LISTEN_PORT'],
  ['MaxFileSizeStr', 'SVCD_MAX_FILE_SIZE_STR'],
  ['DefaultTTLStr', 'SVCD_DEFAULT_TTL_STR'],
  ['MaxTTLStr', 'SVCD_MAX_TTL_STR'],
  ['OIDCClientID', 'SVCD_OIDC_CLIENT_ID'],
  ['OIDCProviderURL', 'SVCD_OIDC_PROVIDER_URL'],
  ['Idp1ApiClientID', 'SVCD_IDP1_API_CLIENT_ID'],
  ['Idp1AuthURL', 'SVCD_IDP1_AUTH_URL'],
  ['FeatureE2EE', 'SVCD_FEATURE_E2EE'],
  ['FeatureSetTTL', 'SVCD_FEATURE_SET_TTL'],
  ['AssumeHTTPS', 'SVCD_ASSUME_HTTPS'],
  ['DataBackendConfig', 'SVCD_DATA_BACKEND_CONFIG'],
  ['DataBackendConfig.Directory', 'SVCD_DATA_BACKEND_CONFIG_DIRECTORY'],
  ['MetadataBackendConfig.ConnectionString', 'SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING'],
])('the variable of %s is %s', (key, variable) => {
  expect(environmentName(key)).toBe(variable)
})

test('every key, section and secret file has a separate variable', () => {
  const names = [
    'SVCD_CONFIG',
    ...[...optionKeys, ...sections].map(environmentName),
    ...optionKeys.map(secretFileName),
  ]
  expect(new Set(names).size).toBe(names.length)
})

test('the keys of the feature flags follow from their names on the wire', () => {
  const fromKeys = optionKeys
    .map((key) => environmentName(key).slice('SVCD_'.length).toLowerCase())
    .filter((name) => name.startsWith('feature_'))
  expect(fromKeys.toSorted()).toEqual([...optionFlags, ...switchFlags].toSorted())
})
