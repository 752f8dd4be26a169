import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'

const providers = resolve(import.meta.dirname, '../../../src/auth/providers/open-providers.ts')

let idp: TestIdentityProvider
beforeAll(async () => {
  idp = await startIdentityProvider()
})
afterAll(() => idp.stop())

/** Opens the providers in a separate process and begins a login, to see when the library is loaded. */
const program = (applications: unknown) => `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  const hasLibrary = () => loaded.some((url) => url.includes('/openid-client/'))
  const { identityProviders } = await import(${JSON.stringify(providers)})
  const opened = identityProviders(${JSON.stringify(applications)})
  const before = hasLibrary()
  await opened.oidc.begin('http://127.0.0.1:9/auth/oidc/callback')
  console.log(JSON.stringify({ opened: Object.keys(opened), before, after: hasLibrary(), seen: loaded.length > 1 }))
`

test('no request is sent and no library loaded before the first login', async () => {
  const args = ['--input-type=module', '--eval', program(idp.applications)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual({
    opened: ['idp1', 'idp2', 'idp3', 'oidc'],
    before: false,
    after: true,
    seen: true,
  })
})
