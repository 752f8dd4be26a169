import type { CliLoginStart, CliLoginState, Page, User, UserToken } from '@svc/contract'
import { expect, test } from 'vitest'
import {
  createUser,
  createUserToken,
  signIn,
  userPassword,
  type SignedIn,
} from '../support/clients/accounts.ts'
import { sendRequest, basic, jsonIn, errorIn, type TestResponse } from '../support/clients/send-request.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import { call, freshLogin, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'

type Pair = readonly [ServerWithAccounts, ServerWithAccounts]

/** Sends the same request many times at once, alternately to the two servers. */
const ofBoth = (
  pair: Pair,
  count: number,
  question: (server: ServerWithAccounts, n: number) => Promise<TestResponse>,
) => Promise.all(Array.from({ length: count }, (_, n) => question(pair[n % 2 === 0 ? 0 : 1], n)))

const tally = (responses: readonly TestResponse[]) =>
  Object.fromEntries(
    Map.groupBy(responses, ({ status }) => String(status))
      .entries()
      .map(([status, group]) => [status, group.length]),
  )

describeCluster('two servers on one database', (newCluster) => {
  const pairOf = async (): Promise<Pair> => {
    const cluster = await newCluster()
    return Promise.all([cluster.start(), cluster.start()])
  }
  const withUser = async (pair: Pair, fields: Partial<User> = {}) => {
    const login = freshLogin()
    const { id } = await createUser(pair[0], pair[0].admin, { login, ...fields })
    const session = await signIn(pair[0], { login, password: userPassword })
    return { id, login, session }
  }

  test('start at once on a new database: one session key, one default admin', async () => {
    const pair = await pairOf()
    for (const server of pair)
      for (const { admin } of pair) expect((await call(server, 'GET /me', { as: admin })).status).toBe(200)
    const users = jsonIn(await call(pair[0], 'GET /users', { as: pair[0].admin })) as Page<User>
    expect(users.results.map(({ id }) => id)).toEqual(['local:root'])
  })

  test('use all of a quota, and never more', async () => {
    const cluster = await newCluster()
    const pair: Pair = [await cluster.start(), await cluster.start()]
    const size = 10_000
    const { session } = await withUser(pair, { maxUserSize: 7 * size })
    const token = await createUserToken(pair[0], session)
    const put = (server: ServerWithAccounts, n: number) =>
      sendRequest(server.url, `/${String(n)}.bin`, {
        method: 'PUT',
        headers: { 'x-svctoken': token },
        body: 'x'.repeat(size),
      })
    expect(tally(await ofBoth(pair, 30, put))).toEqual({ 200: 7, 413: 23 })
    const stats = jsonIn(await call(pair[1], 'GET /me/stats', { as: session }))
    expect(stats).toEqual({ uploads: 7, files: 7, totalSize: 7 * size })
    for (const server of pair) await server.clean()
    await expectCorrectCounters(await cluster.connect(), cluster)
  })

  test('add as many files to an upload as it may have', async () => {
    const cluster = await newCluster()
    const config = { maxFilePerUpload: 7 }
    const pair: Pair = [await cluster.start({ config }), await cluster.start({ config })]
    const { upload, uploadToken } = await storeUpload(pair[0], 'first')
    const add = async ({ client }: ServerWithAccounts, n: number) =>
      client
        .addFile(upload.id, new Blob(['x']), { fileName: `${String(n)}.txt`, uploadToken })
        .then(() => 'added')
        .catch((error: unknown) => (error as { readonly code: string }).code)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => add(pair[n % 2 === 0 ? 0 : 1], n)),
    )
    expect(responses.filter((response) => response === 'added')).toHaveLength(6)
    expect(responses.filter((response) => response === 'too_many_files')).toHaveLength(14)
  })

  test('share the count of failed logins', async () => {
    const pair = await pairOf()
    const { login } = await withUser(pair)
    const guess = (server: ServerWithAccounts, password: string) =>
      call(server, 'POST /auth/local/login', { body: { login, password } })
    expect(tally(await ofBoth(pair, 24, (server) => guess(server, 'wrong horse')))).toEqual({
      401: 10,
      429: 14,
    })
    for (const server of pair) expect((await guess(server, userPassword)).status).toBe(429)
    const { path } = await storeUpload(pair[0], 'content', { password: 'right one' })
    const wrong = (server: ServerWithAccounts, n: number) =>
      call(server, `GET ${path}`, { headers: { authorization: basic('svc', `wrong ${String(n)}`) } })
    expect(tally(await ofBoth(pair, 24, wrong))).toEqual({ 401: 10, 429: 14 })
  })

  test('let one user sign in on both at the same moment', async () => {
    const pair = await pairOf()
    const { login } = await withUser(pair)
    const enter = (server: ServerWithAccounts) =>
      call(server, 'POST /auth/local/login', { body: { login, password: userPassword } })
    for (let round = 0; round < 20; round += 1)
      expect(tally(await ofBoth(pair, 8, enter))).toEqual({ 200: 8 })
  })

  test('return one token for a command-line login that began on one, was approved on the other, and is polled on both', async () => {
    const pair = await pairOf()
    const { session } = await withUser(pair)
    const begun = jsonIn(await call(pair[0], 'POST /auth/cli/init', { body: {} })) as CliLoginStart
    const { code, secret } = begun
    const approved = await ofBoth(pair, 10, (server) =>
      call(server, 'POST /auth/cli/approve', { as: session, body: { code } }),
    )
    expect(tally(approved)).toEqual({ 200: 1, 404: 9 })
    const polls = await ofBoth(pair, 20, (server) =>
      call(server, 'POST /auth/cli/poll', { body: { code, secret } }),
    )
    const successes = polls
      .filter(({ status }) => status === 200)
      .map((response) => jsonIn(response) as CliLoginState)
    expect(successes).toEqual([{ status: 'approved', token: expect.any(String) as string }])
    const tokens = jsonIn(await call(pair[1], 'GET /me/token', { as: session })) as Page<UserToken>
    expect(tokens.total).toBe(1)
  })

  test('end a session, a token, a user and a password on both immediately', async () => {
    const pair = await pairOf()
    const [one, other] = pair
    const { id, login, session } = await withUser(pair)
    const me = (as: SignedIn) => call(other, 'GET /me', { as })
    expect((await me(session)).status).toBe(200)
    await call(one, 'GET /auth/logout', { as: session })
    expect((await me(session)).status).toBe(403)

    const again = await signIn(other, { login, password: userPassword })
    const token = await createUserToken(one, again)
    const use = () =>
      sendRequest(other.url, '/a.txt', { method: 'PUT', headers: { 'x-svctoken': token }, body: 'a' })
    expect((await use()).status).toBe(200)
    await call(one, `DELETE /me/token/${token}`, { as: again })
    expect(
      errorIn(await call(other, 'GET /upload/0123456789abcdef', { headers: { 'x-svctoken': token } })),
    ).toEqual({
      status: 403,
      code: 'invalid_token',
    })

    const path = `/user/${encodeURIComponent(id)}` as const
    await call(one, `POST ${path}`, { as: one.admin, body: { password: 'another horse' } })
    expect((await me(again)).status).toBe(403)
    const last = await signIn(other, { login, password: 'another horse' })
    expect((await call(one, `DELETE ${path}`, { as: one.admin })).status).toBe(200)
    expect((await me(last)).status).toBe(403)
  })

  test('keep one admin when two admins delete each other', async () => {
    const pair = await pairOf()
    const [one, other] = pair
    const second = await withUser(pair, { admin: true })
    const responses = await Promise.all([
      call(one, `DELETE /user/${encodeURIComponent(second.id)}`, { as: one.admin }),
      call(other, 'DELETE /user/local:root', { as: second.session }),
    ])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('clean up many uploads in parallel: each once, with correct counters', async () => {
    const cluster = await newCluster()
    const pair: Pair = [await cluster.start(), await cluster.start()]
    const { session } = await withUser(pair, { maxUserSize: 1_000_000 })
    const token = await createUserToken(pair[0], session)
    const put = (ttl: string) => (server: ServerWithAccounts, n: number) =>
      sendRequest(server.url, `/${String(n)}.bin?ttl=${ttl}`, {
        method: 'PUT',
        headers: { 'x-svctoken': token },
        body: 'x'.repeat(100),
      })
    expect(tally(await ofBoth(pair, 60, put('60s')))).toEqual({ 200: 60 })
    expect(tally(await ofBoth(pair, 10, put('1d')))).toEqual({ 200: 10 })
    for (const { clock } of pair) clock.advance(60_000)
    const reports = await Promise.all([...pair, ...pair].map((server) => server.clean()))
    const sum = (counter: 'expiredUploads' | 'deletedFiles' | 'failedDeletions') =>
      reports.reduce((total, report) => total + report[counter], 0)
    expect([sum('expiredUploads'), sum('deletedFiles'), sum('failedDeletions')]).toEqual([60, 60, 0])
    await expectCorrectCounters(await cluster.connect(), cluster)
    const stats = jsonIn(await call(pair[1], 'GET /me/stats', { as: session }))
    expect(stats).toEqual({ uploads: 10, files: 10, totalSize: 1_000 })
  })
})
