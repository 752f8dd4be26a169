import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CliLoginStart, UserToken } from '@svc/contract'
import { sendRequest, jsonIn, type TestRequest } from '../support/clients/send-request.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'

const admin = { login: 'root', password: 'canaryQ7xZ-password' }

let directory: string
let server: Svcd
beforeAll(async () => {
  directory = await emptyDirectory()
  server = await startSvcd(directory, {
    LOG_LEVEL: 'trace',
    FEATURE_AUTHENTICATION: 'enabled',
    DEFAULT_ADMIN_LOGIN: admin.login,
    DEFAULT_ADMIN_PASSWORD: admin.password,
  })
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})

const post = (path: string, body: object, headers: TestRequest['headers'] = {}) =>
  sendRequest(server.url, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('no line of the log has a password, a cookie, a token, or a secret of a login', async () => {
  await post('/auth/local/login', { ...admin, password: `${admin.password}!` })
  const login = await post('/auth/local/login', admin)
  const cookies = (login.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0] ?? '')
  const values = cookies.map((cookie) => cookie.slice(cookie.indexOf('=') + 1))
  const session = { cookie: cookies.join('; '), 'x-xsrftoken': values[1] ?? '' }

  const { token } = jsonIn(await post('/me/token', { comment: 'log' }, session)) as UserToken
  await post('/upload', {}, { 'x-svctoken': token })
  await post('/upload', {}, { 'x-svctoken': `${token}x` })
  const started = jsonIn(await post('/auth/cli/init', {})) as CliLoginStart
  await post('/auth/cli/poll', { code: started.code, secret: started.secret })
  for (const path of [`/me/token/${token}`, `/me/token/${token}?again`, `//me/token/${token}`])
    await sendRequest(server.url, path, { method: 'DELETE', headers: session })
  const password = `${admin.password}-new`
  const change = JSON.stringify({ currentPassword: admin.password, password })
  const headers = { 'content-type': 'application/json', ...session }
  await sendRequest(server.url, '/me', { method: 'PATCH', headers, body: change })
  await sendRequest(server.url, '/auth/logout', { headers: session })
  await sendRequest(server.url, '/config')
  await until('all is logged', () => server.log().includes('"route":"/config"'))

  const secrets = [admin.password, ...values, token, started.secret]
  expect(secrets.map((secret) => secret.length).filter((length) => length < 16)).toEqual([])
  expect(secrets.filter((secret) => server.log().includes(secret))).toEqual([])
  expect(server.log()).toContain('"route":"/me/token/{token}"')
})
