import type { Configuration, FlagValue } from '@svc/contract'
import { expect, test } from 'vitest'
import { findFormProblem, initialForm, toOptions, type UploadForm } from './upload-form.ts'

const day = 86_400

const configured = (flag: FlagValue): Configuration => ({
  svcDomain: '',
  downloadDomain: '',
  maxFileSize: 10,
  maxUserSize: -1,
  maxTTL: 30 * day,
  defaultTTL: 7 * day,
  maxFilePerUpload: 1000,
  streamTimeout: 300,
  feature_authentication: 'disabled',
  feature_one_shot: flag,
  feature_removable: flag,
  feature_stream: flag,
  feature_password: flag,
  feature_comments: flag,
  feature_set_ttl: flag,
  feature_extend_ttl: flag,
  feature_text: flag,
  feature_requests: flag,
  feature_e2ee: 'enabled',
  feature_local_login: 'enabled',
  feature_delete_account: 'enabled',
  feature_clients: 'enabled',
  feature_api_tokens: 'enabled',
  feature_mail: 'disabled',
  feature_previews: 'enabled',
  idp1Authentication: false,
  idp2Authentication: false,
  idp3Authentication: false,
  oidcAuthentication: false,
  idp1Name: 'Google',
  idp2Name: 'GitHub',
  idp3Name: 'OVHcloud',
  oidcProviderName: 'OpenID',
  abuseContact: '',
})

test('a disabled option is not sent to the server', () => {
  const configuration = configured('disabled')
  expect(toOptions(initialForm(configuration), configuration)).toEqual({})
})

test('an enabled option is off, and sent as off', () => {
  const configuration = configured('enabled')
  expect(toOptions(initialForm(configuration), configuration)).toEqual({
    ttl: 7 * day,
    oneShot: false,
    stream: false,
    removable: false,
    extend_ttl: false,
  })
})

test.for(['default', 'forced'] as const)('a %s option is preset on', (flag) => {
  const configuration = configured(flag)
  const form = { ...initialForm(configuration), password: 'secret', comments: 'hello' }
  expect(toOptions(form, configuration)).toEqual({
    ttl: 7 * day,
    oneShot: true,
    stream: true,
    removable: true,
    extend_ttl: true,
    password: 'secret',
    comments: 'hello',
  })
})

test('the value of an option that was turned off is not sent', () => {
  const configuration = configured('default')
  const typed = { login: 'me', password: 'secret', comments: 'hello' }
  const form = { ...initialForm(configuration), ...typed, protect: false, describe: false }
  expect(toOptions(form, configuration)).toEqual({
    ttl: 7 * day,
    oneShot: true,
    stream: true,
    removable: true,
    extend_ttl: true,
  })
})

test('a download limit is sent, unless the upload has another one or the server allows none', () => {
  const sent = (changes: Partial<UploadForm>, flag: FlagValue = 'enabled') => {
    const configuration = configured(flag)
    return toOptions({ ...initialForm(configuration), maxDownloads: 5, ...changes }, configuration)
      .maxDownloads
  }
  expect([sent({}), sent({ maxDownloads: 0 })]).toEqual([5, undefined])
  expect([sent({ oneShot: true }), sent({ stream: true })]).toEqual([undefined, undefined])
  expect(sent({ oneShot: false, stream: false }, 'default')).toBe(5)
  expect([sent({}, 'disabled'), sent({ oneShot: false }, 'forced')]).toEqual([undefined, undefined])
})

test('the encryption scheme is sent to the server, its passphrase is not', () => {
  const configuration = configured('disabled')
  const form = { ...initialForm(configuration), encrypt: true, passphrase: 'our secret' }
  expect(toOptions(form, configuration)).toEqual({ e2ee: 'age' })
  expect(findFormProblem(form, configuration)).toBe(undefined)
  expect(findFormProblem({ ...form, passphrase: ' ' }, configuration)).toBe('passphraseMissing')
})

test('errors block the submission of the form', () => {
  const configuration = configured('forced')
  const valid = { ...initialForm(configuration), password: 'p', comments: 'c' }
  const problems = [
    valid,
    { ...valid, password: '' },
    { ...valid, login: 'a:b' },
    { ...valid, comments: '  ' },
    { ...valid, ttl: 0 },
    { ...valid, ttl: -1 },
    { ...valid, ttl: 30 * day },
    { ...valid, ttl: 30 * day + 1 },
  ].map((form) => findFormProblem(form, configuration))
  expect(problems).toEqual([
    undefined,
    'passwordMissing',
    'loginColon',
    'commentsMissing',
    'ttl',
    'ttl',
    undefined,
    'ttl',
  ])
})

test('a server without a maximum allows unlimited lifetimes', () => {
  const configuration = { ...configured('enabled'), maxTTL: 0 }
  expect(findFormProblem({ ...initialForm(configuration), ttl: -1 }, configuration)).toBe(undefined)
})
