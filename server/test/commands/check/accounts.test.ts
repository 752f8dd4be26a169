import { beforeEach, describe, expect, test } from 'vitest'
import { check, newDirectory, type Settings } from './run-check.ts'

beforeEach(newDirectory)

const about = async (settings: Settings) => {
  const checked = await check(settings)
  expect(checked.status).toBe(0)
  return checked.about('accounts')
}

const oidc = {
  OIDC_CLIENT_ID: 'svc',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_PROVIDER_URL: 'http://127.0.0.1:9',
}

describe('svcd check of accounts', () => {
  test('names the ways to sign in', async () => {
    expect(await about({ FEATURE_AUTHENTICATION: 'forced' })).toEqual([
      'ok users can sign in with a password',
    ])
    const withProvider = { ...oidc, FEATURE_AUTHENTICATION: 'enabled', OIDC_PROVIDER_NAME: 'Example' }
    expect((await check(withProvider)).about('accounts')).toEqual([
      'ok users can sign in with a password and Example',
    ])
    expect((await check({ ...withProvider, FEATURE_LOCAL_LOGIN: 'disabled' })).about('accounts')).toEqual([
      'ok users can sign in with Example',
    ])
  })

  test.each(['enabled', 'forced'])(
    'warns where no one can sign in, with accounts %s',
    async (authentication) => {
      const settings = { FEATURE_AUTHENTICATION: authentication, FEATURE_LOCAL_LOGIN: 'disabled' }
      expect(await about(settings)).toEqual([
        'warn no one can sign in: FeatureLocalLogin is disabled, and no provider is configured. Only tokens of `svcd token create` work',
      ])
    },
  )

  test('names keys that have no effect without accounts', async () => {
    expect(await about({})).toEqual(['ok accounts are disabled'])
    const mail = {
      SVC_DOMAIN: 'http://127.0.0.1:9',
      MAIL_SERVER: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'svc@svc.example',
      FEATURE_MAIL: 'enabled',
    }
    const settings = { ...mail, ...oidc, DEFAULT_ADMIN_LOGIN: 'root' }
    expect((await check(settings)).about('accounts')).toEqual([
      'warn DefaultAdminLogin, OIDCClientID and FeatureMail have no effect without accounts: set FeatureAuthentication, or remove them',
    ])
    expect(await about({ DEFAULT_ADMIN_LOGIN: 'root' })).toEqual([
      'warn DefaultAdminLogin has no effect without accounts: set FeatureAuthentication, or remove it',
    ])
  })
})
