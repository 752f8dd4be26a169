import type { CliLoginStart, CliLoginState, Page, UserToken } from '@svc/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { userTokenKeys } from '../../../src/domain/user-token-keys.ts'
import type { SignedIn } from '../../support/clients/accounts.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import { simultaneously } from '../../support/databases/sqlite-writes.ts'
import {
  call,
  freshAddress,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let member: Member
beforeAll(async () => {
  server = await startServerWithAccounts({ config: { trustedProxies: ['127.0.0.1'], path: '/files' } })
})
beforeEach(async () => {
  member = await newMember(server)
})
afterAll(() => server.close())

const init = (body: unknown = {}) => call(server, 'POST /auth/cli/init', { body })
const start = async (hostname = 'laptop') => jsonIn(await init({ hostname })) as CliLoginStart
const approve = (code: string, { comment, as = member.session }: { comment?: string; as?: SignedIn } = {}) =>
  call(server, 'POST /auth/cli/approve', { as, body: { code, ...(comment !== undefined && { comment }) } })
const poll = (code: string, secret: string, from = '127.0.0.1') =>
  call(server, 'POST /auth/cli/poll', { headers: { 'x-forwarded-for': from }, body: { code, secret } })
const unknown = { status: 404, code: 'code_not_found' }
const day = 86_400_000
const later = (ms: number) => new Date(server.clock.now() + ms).toISOString()
const tokens = async () =>
  (jsonIn(await call(server, 'GET /me/token', { as: member.session })) as Page<UserToken>).results

test('a command line starts a login, a user approves it, and the command line receives a token of the user', async () => {
  const begun = await start()
  expect(begun).toEqual({
    code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as string,
    secret: expect.stringMatching(/^[0-9A-Za-z]{32}$/) as string,
    verifyURL: `${server.url}/#/cli-auth?code=${begun.code}`,
    expiresIn: 300,
    interval: 2,
  })
  expect(jsonIn(await poll(begun.code, begun.secret))).toEqual({ status: 'pending' })
  expect(jsonIn(await approve(begun.code))).toEqual({ status: 'approved' })
  const { token = '', ...rest } = jsonIn(await poll(begun.code, begun.secret)) as CliLoginState
  expect(rest).toEqual({ status: 'approved' })
  expect(await tokens()).toMatchObject([
    { token: `${token.slice(0, 9)}…`, comment: 'CLI login from laptop', expiresAt: later(90 * day) },
  ])
  const upload = await call(server, 'POST /upload', { headers: { 'x-svctoken': token }, body: {} })
  expect(jsonIn(upload)).toMatchObject({ user: member.id })
  expect(errorIn(await poll(begun.code, begun.secret))).toEqual(unknown)
})

test('the user with the code sees the host name and the address of the waiting command line', async () => {
  const response = await call(server, 'POST /auth/cli/init', {
    body: { hostname: 'laptop' },
    headers: { 'x-forwarded-for': '203.0.113.9' },
  })
  const { code } = jsonIn(response) as CliLoginStart
  const describe = () => call(server, 'POST /auth/cli/describe', { as: member.session, body: { code } })
  expect(jsonIn(await describe())).toEqual({
    hostname: 'laptop',
    address: '203.0.113.9',
    createdAt: later(0),
  })
  await approve(code)
  expect(errorIn(await describe())).toEqual(unknown)
})

test('codes cannot be guessed', async () => {
  const { code } = await start()
  const look = (looked: string) =>
    call(server, 'POST /auth/cli/describe', {
      as: member.session,
      headers: { 'x-forwarded-for': from },
      body: { code: looked },
    })
  const from = freshAddress()
  for (let tried = 0; tried < 10; tried++) expect(errorIn(await look('BBBB-BBBB'))).toEqual(unknown)
  expect(errorIn(await look(code))).toEqual({ status: 429, code: 'too_many_attempts' })
  server.clock.advance(300_000)
  expect(errorIn(await look(code))).toEqual(unknown)
})

test('of twenty parallel polls, exactly one receives a token, and one exists', async () => {
  const { code, secret } = await start()
  await approve(code)
  const polls = Array.from({ length: 20 }, () => poll(code, secret, freshAddress()))
  const responses = await Promise.all(polls)
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(responses.filter(({ status }) => status === 404)).toHaveLength(19)
  expect(await tokens()).toHaveLength(1)
})

test('two servers that are polled at once return one token', async () => {
  const features = { feature_authentication: 'enabled' } as const
  const { config, directory, clock } = server
  const second = await startTestServer({ features, config, directory, clock })
  const { code, secret } = await start()
  await approve(code)
  const responses = await simultaneously([server, second], () =>
    Promise.all([poll(code, secret), call(second, 'POST /auth/cli/poll', { body: { code, secret } })]),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
  expect(await tokens()).toHaveLength(1)
  await second.close()
})

test('a code can be approved for five minutes, not at their end', async () => {
  const [early, late] = [await start(), await start()]
  server.clock.advance(299_999)
  expect((await approve(early.code)).status).toBe(200)
  server.clock.advance(1)
  expect(errorIn(await approve(late.code))).toEqual(unknown)
})

test('an approved code gives its token for the rest of the five minutes, not at their end', async () => {
  const [early, late] = [await start(), await start()]
  await approve(early.code)
  await approve(late.code)
  server.clock.advance(299_999)
  expect((await poll(early.code, early.secret)).status).toBe(200)
  server.clock.advance(1)
  expect(errorIn(await poll(late.code, late.secret))).toEqual(unknown)
  expect(await tokens()).toHaveLength(1)
  await server.clean()
  expect(lookUp(server, 'select count(*) from cliLogins')).toEqual([0])
})

test('the secret is required, and is checked before anything else', async () => {
  const [one, other] = [await start(), await start()]
  await approve(one.code)
  for (const secret of ['', 'x', other.secret, one.secret.toLowerCase(), one.secret.slice(0, -1)]) {
    const response = await poll(one.code, secret, freshAddress())
    expect(errorIn(response)).toEqual({ status: 401, code: 'wrong_credentials' })
  }
  expect((await poll(one.code, one.secret)).status).toBe(200)
})

test.each(['', 'XXXX-XXXX', '%', 'a'.repeat(10_000), '\0'])('the code %j is unknown', async (code) => {
  expect(errorIn(await poll(code, 'x', freshAddress()))).toEqual(unknown)
  expect(errorIn(await approve(code))).toEqual(unknown)
})

test('wrong secrets of a code are limited; polls with the correct one are not', async () => {
  const { code, secret } = await start()
  const from = freshAddress()
  for (let tried = 0; tried < 25; tried++) {
    expect(jsonIn(await poll(code, secret, from))).toEqual({ status: 'pending' })
  }
  for (let tried = 0; tried < 10; tried++) expect((await poll(code, 'wrong', from)).status).toBe(401)
  const refused = await poll(code, 'wrong', from)
  expect(errorIn(refused)).toEqual({ status: 429, code: 'too_many_attempts' })
  expect(refused.headers['retry-after']).toBe('300')
  expect(jsonIn(await poll(code, secret, from))).toEqual({ status: 'pending' })
})

test('a signed-in user can try a limited number of codes', async () => {
  const { code } = await start()
  for (let tried = 0; tried < 10; tried++) expect((await approve('XXXX-XXXX')).status).toBe(404)
  expect(errorIn(await approve(code))).toEqual({ status: 429, code: 'too_many_attempts' })
  server.clock.advance(300_000)
  expect((await approve((await start()).code)).status).toBe(200)
})

test('approving needs a session, with its XSRF value', async () => {
  const { code } = await start()
  const approval = (headers: Record<string, string>) =>
    call(server, 'POST /auth/cli/approve', { headers, body: { code } })
  expect(errorIn(await approval({}))).toEqual({ status: 401, code: 'login_required' })
  const { cookie } = member.session
  expect(errorIn(await approval({ cookie }))).toEqual({ status: 403, code: 'invalid_xsrf' })
  const other = await approve((await start()).code)
  const { token } = jsonIn(
    await call(server, 'POST /me/token', { as: member.session, body: {} }),
  ) as UserToken
  expect([other.status, errorIn(await approval({ 'x-svctoken': token })).code]).toEqual([
    200,
    'login_required',
  ])
})

test('the first user to approve a code gets the login', async () => {
  const { code, secret } = await start()
  const other = await newMember(server)
  const responses = await Promise.all([approve(code), approve(code, { as: other.session }), approve(code)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  await poll(code, secret)
  expect(
    lookUp(server, `select count(*) from tokens where userId in ('${member.id}', '${other.id}')`),
  ).toEqual([1])
})

test('host names and comments may be any text', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(texts, texts, async (hostname, comment) => {
      const { code, secret } = await start(hostname)
      await approve(code, { comment })
      const { token } = jsonIn(await poll(code, secret)) as CliLoginState
      const expected = comment === '' ? `CLI login from ${hostname}` : comment
      const { id } = userTokenKeys(token ?? '')
      expect((await tokens()).find((listed) => listed.id === id)?.comment).toBe(expected)
      await call(server, `DELETE /me/token/${token ?? ''}`, { as: member.session })
    }),
    {
      numRuns: 30,
      examples: [
        ['<img src=x onerror=alert(1)>', ''],
        ['\u001b]0;x\u0007', "'--"],
        ['\u0001', '\u202e'],
      ],
    },
  )
})

test('the longest host name makes a comment that fits', async () => {
  const { code, secret } = await start('🗿'.repeat(256))
  await approve(code)
  await poll(code, secret)
  const [{ comment } = { comment: '' }] = await tokens()
  expect(comment).toBe(`CLI login from ${'🗿'.repeat(241)}`)
})

test.each([
  ['a name of a host that is too long', { hostname: 'x'.repeat(257) }],
  ['a name of a host that is not text', { hostname: ['x'] }],
  ['a list', []],
])('%s starts nothing', async (_what, body) => {
  expect(errorIn(await init(body))).toEqual({ status: 400, code: 'invalid_request' })
})

test('a request without a body starts a login without a host name', async () => {
  const response = await call(server, 'POST /auth/cli/init')
  const { code, secret } = jsonIn(response) as CliLoginStart
  await approve(code)
  expect((await poll(code, secret)).status).toBe(200)
  expect(await tokens()).toMatchObject([{ comment: expect.stringMatching(/^CLI login/) as string }])
})

test('a login whose approving user was deleted returns no token', async () => {
  const { code, secret } = await start()
  await approve(code)
  await call(server, `DELETE /user/${member.id}`, { as: server.admin })
  expect(errorIn(await poll(code, secret))).toEqual(unknown)
})

test('where tokens are disabled, so is this login', async () => {
  const { code, secret } = await start()
  await approve(code)
  const features = { feature_authentication: 'enabled', feature_api_tokens: 'disabled' } as const
  const { config, directory, clock } = server
  const closed = await startTestServer({ features, config: { accounts: config.accounts }, directory, clock })
  const disabled = { status: 403, code: 'feature_disabled' }
  for (const [line, as, body] of [
    ['POST /auth/cli/init', undefined, {}],
    ['POST /auth/cli/describe', member.session, { code }],
    ['POST /auth/cli/approve', member.session, { code }],
    ['POST /auth/cli/poll', undefined, { code, secret }],
  ] as const) {
    expect(errorIn(await call(closed, line, { ...(as && { as }), body }))).toEqual(disabled)
  }
  await closed.close()
  expect(await tokens()).toEqual([])
})

test('the stored value of a secret does not reveal it', async () => {
  const { code, secret } = await start()
  expect(
    JSON.stringify(lookUp(server, `select secretHash from cliLogins where code = '${code}'`)),
  ).not.toContain(secret)
})
