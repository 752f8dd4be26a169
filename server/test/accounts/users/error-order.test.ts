import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedIn } from '../../support/clients/accounts.ts'
import { errorIn } from '../../support/clients/send-request.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let member: SignedIn
beforeAll(async () => {
  server = await startServerWithAccounts()
  member = (await newMember(server)).session
})
afterAll(() => server.close())

type Line = Parameters<typeof call>[1]
const wrongPaging = { 'x-svc-paging': 'no JSON' }

test.each<[Line, object]>([
  ['GET /users?limit=0', {}],
  ['GET /users', { headers: wrongPaging }],
  ['PATCH /me', { body: { name: 5 } }],
])('a guest gets login_required for %s, and no details', async (line, options) => {
  expect(errorIn(await call(server, line, options))).toEqual({ status: 401, code: 'login_required' })
})

test.each<[Line, object]>([
  ['GET /users?limit=0', {}],
  ['GET /users', { headers: wrongPaging }],
  ['POST /user', { body: { x: 1 } }],
])('a user who is not an admin gets that error for %s', async (line, options) => {
  const response = await call(server, line, { ...options, as: member })
  expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
})

test('a page of another origin gets no details of an error', async () => {
  const response = await call(server, 'POST /upload', {
    headers: { origin: 'http://evil.test' },
    body: { ttl: 'x' },
  })
  expect(errorIn(response)).toEqual({ status: 403, code: 'cross_site' })
})

test('without accounts, their routes say so for any request', async () => {
  const withoutAccounts = await startTestServer()
  try {
    const response = await call(withoutAccounts, 'POST /auth/local/login', { body: {} })
    expect(errorIn(response)).toEqual({ status: 403, code: 'feature_disabled' })
  } finally {
    await withoutAccounts.close()
  }
})

test('a user with the rights gets the details of an error', async () => {
  for (const line of ['GET /users?limit=0', 'GET /users?order=up'] as const)
    expect(errorIn(await call(server, line, { as: server.admin }))).toEqual({
      status: 400,
      code: 'invalid_request',
    })
  const refused = await call(server, 'GET /users', { as: server.admin, headers: wrongPaging })
  expect(errorIn(refused)).toEqual({ status: 400, code: 'invalid_request' })
})
