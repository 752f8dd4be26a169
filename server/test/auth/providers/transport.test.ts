import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { LoginAttempt } from '../../../src/auth/providers/provider.ts'
import {
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'
import { callbackURL, openProvider, loginError, loginErrorCode } from './logins.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

const trusted = getCACertificates()

let directory: string
let secure: Server
let idp: TestIdentityProvider
/** Responses of the provider over TLS, by path. */
const responses = new Map<string, unknown>()
let secureIssuer: string
const used: string[] = []

beforeAll(async () => {
  idp = await startIdentityProvider()
  directory = await temporaryDirectory()
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const request =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1'
  const files = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert]
  execFileSync('openssl', [...request.split(' '), ...files], { stdio: 'ignore' })
  setDefaultCACertificates([...trusted, readFileSync(cert, 'utf8')])
  secure = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, ({ url = '' }, response) => {
    used.push(url)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(responses.get(url)))
  }).listen(0, '127.0.0.1')
  await once(secure, 'listening')
  secureIssuer = `https://127.0.0.1:${String((secure.address() as AddressInfo).port)}`
})
afterEach(() => {
  responses.clear()
  used.length = 0
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  secure.closeAllConnections()
  secure.close()
  await idp.stop()
})

const document = (changes: Readonly<Record<string, string>> = {}) => ({
  issuer: secureIssuer,
  authorization_endpoint: `${secureIssuer}/auth`,
  token_endpoint: `${secureIssuer}/token`,
  jwks_uri: `${secureIssuer}/jwks`,
  ...changes,
})

const returned = ({ state }: LoginAttempt): URL => new URL(`${callbackURL}?code=code&state=${state}`)

test('a provider with an https address is requested over TLS', async () => {
  responses.set('/.well-known/openid-configuration', document())
  responses.set('/token', { error: 'invalid_grant' })
  const provider = openProvider(idp, 'oidc', { providerURL: secureIssuer })
  const { consentURL, attempt } = await provider.begin(callbackURL)
  expect(new URL(consentURL).origin).toBe(secureIssuer)
  expect(await loginErrorCode(provider.finish(returned(attempt), attempt))).toBe('login_failed')
  expect(used).toEqual(['/.well-known/openid-configuration', '/token'])
})

test('a provider with an https address cannot redirect browsers to a page without TLS', async () => {
  responses.set(
    '/.well-known/openid-configuration',
    document({ authorization_endpoint: `${idp.issuer}/auth` }),
  )
  const provider = openProvider(idp, 'oidc', { providerURL: secureIssuer })
  const { code, cause } = await loginError(provider.begin(callbackURL))
  expect([code, String(cause)]).toEqual([
    'unavailable',
    'ProviderError: only requests to HTTPS are allowed · OAUTH_HTTP_REQUEST_FORBIDDEN',
  ])
})

test('a provider with an https address cannot have codes sent without TLS', async () => {
  responses.set('/.well-known/openid-configuration', document({ token_endpoint: `${idp.issuer}/token` }))
  const provider = openProvider(idp, 'oidc', { providerURL: secureIssuer })
  const { attempt } = await provider.begin(callbackURL)
  const before = idp.requests.length
  expect(await loginErrorCode(provider.finish(returned(attempt), attempt))).toBe('login_failed')
  expect(idp.requests.length).toBe(before)
})

test('a provider whose certificate has another name is unavailable', async () => {
  const provider = openProvider(idp, 'oidc', { providerURL: secureIssuer.replace('127.0.0.1', 'localhost') })
  expect(await loginErrorCode(provider.begin(callbackURL))).toBe('unavailable')
  expect(used).toEqual([])
})

test('a fixed provider with https addresses is requested over TLS', async () => {
  responses.set('/token', { access_token: 'token', token_type: 'bearer' })
  responses.set('/me', { nichandle: 'somebody' })
  const addresses = ['auth', 'token', 'me'].map((path) => `${secureIssuer}/${path}`)
  const [authURL = '', tokenURL = '', userInfoURL = ''] = addresses
  const provider = openProvider(idp, 'idp3', { authURL, tokenURL, userInfoURL })
  const { attempt } = await provider.begin(callbackURL)
  expect(await provider.finish(returned(attempt), attempt)).toMatchObject({ issuer: secureIssuer })
  expect(used).toEqual(['/token', '/me'])
})
