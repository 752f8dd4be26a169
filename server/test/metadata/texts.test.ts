import { limits, type CliLoginStart, type Page, type Upload, type UserToken } from '@svc/contract'
import { expect, test } from 'vitest'
import { sendRequest, jsonIn, type TestResponse } from '../support/clients/send-request.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import {
  call,
  newMember,
  type Member,
  type ServerWithAccounts,
} from '../support/servers/server-with-accounts.ts'
import { newTarget, pairs, tus } from '../resumable/tus.ts'

const longest = (characters: number) => '🗿'.repeat(characters)

describeCluster('texts', (newCluster) => {
  test('of the greatest length, with all characters beyond the first plane, are returned unchanged', async () => {
    const server = await (await newCluster()).start()
    const { session } = await newMember(server, { login: longest(limits.userLoginLength) })
    const profile = { name: longest(limits.profileTextLength), theme: longest(limits.profileTextLength) }
    expect(jsonIn(await call(server, 'PATCH /me', { as: session, body: profile }))).toMatchObject(profile)

    const declared = {
      fileName: longest(limits.fileNameLength),
      reference: longest(limits.referenceLength),
    }
    const comments = longest(limits.commentsBytes / 4)
    const body = {
      comments,
      login: longest(limits.uploadCredentialLength),
      password: longest(limits.uploadCredentialLength),
      e2ee: 'x'.repeat(limits.schemeLength),
      files: [declared],
    }
    const { id } = jsonIn(await call(server, 'POST /upload', { as: session, body })) as Upload
    expect(jsonIn(await call(server, `GET /upload/${id}`, { as: session }))).toMatchObject({
      comments,
      e2ee: body.e2ee,
      files: [declared],
    })

    const comment = longest(limits.commentLength)
    await call(server, 'POST /me/token', { as: session, body: { comment } })
    const tokens = jsonIn(await call(server, 'GET /me/token', { as: session })) as Page<UserToken>
    expect(tokens.results.map((token) => token.comment)).toEqual([comment])

    const hostname = longest(limits.hostnameLength)
    const init = await call(server, 'POST /auth/cli/init', { body: { hostname } })
    const { code } = jsonIn(init) as CliLoginStart
    const headers = { 'user-agent': 'x'.repeat(2_000) }
    const approved = await call(server, 'POST /auth/cli/approve', { as: session, headers, body: { code } })
    expect(approved.status).toBe(200)
  })

  test('with the character NUL are rejected everywhere, so that any database can import those of another', async () => {
    const server = await (await newCluster()).start()
    const member = await newMember(server)
    const { code } = jsonIn(await call(server, 'POST /auth/cli/init', { body: {} })) as CliLoginStart
    const target = await newTarget(server)
    const resumable = { 'upload-length': 1, 'upload-metadata': pairs({ fileName: 'a', reference: 'a\0b' }) }
    const responses = await Promise.all([
      ...kept(server, member, code, 'a\0b'),
      tus(server, target, 'POST', { headers: resumable }),
    ])
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 400))
  })

  test.each([
    ['the character NUL', 'a\0b'],
    ['half a character', 'a\ud800b'],
  ])('with %s are stored or rejected, and never make the server fail', async (_what, text) => {
    const server = await (await newCluster()).start()
    const member = await newMember(server)
    const responses = await Promise.all(questions(server, member, text))
    expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
  })
})

/** Every request whose text is kept. */
const kept = (
  server: ServerWithAccounts,
  { session }: Member,
  code: string,
  text: string,
): Promise<TestResponse>[] => [
  call(server, 'PATCH /me', { as: session, body: { name: text } }),
  call(server, 'POST /me/token', { as: session, body: { comment: text } }),
  call(server, 'POST /auth/cli/init', { body: { hostname: text } }),
  call(server, 'POST /auth/cli/approve', { as: session, body: { code, comment: text } }),
  call(server, 'POST /upload', { body: { comments: text } }),
  call(server, 'POST /upload', { body: { login: text, password: text } }),
  call(server, 'POST /upload', { body: { files: [{ fileName: 'a', reference: text }] } }),
  call(server, 'POST /user', { as: server.admin, body: { provider: 'oidc', login: `${text}abc` } }),
  sendRequest(server.url, `/quick.txt?comments=${encodeURIComponent(text)}`, { method: 'PUT', body: 'x' }),
]

/** Every request that brings a text from outside to the database. */
function questions(server: ServerWithAccounts, { session }: Member, text: string): Promise<TestResponse>[] {
  const inPath = encodeURIComponent(text.toWellFormed())
  return [
    call(server, 'POST /auth/local/login', { body: { login: text, password: text } }),
    call(server, 'PATCH /me', { as: session, body: { name: text } }),
    call(server, 'POST /me/token', { as: session, body: { comment: text } }),
    call(server, `DELETE /me/token/${inPath}`, { as: session }),
    call(server, 'POST /auth/cli/init', { body: { hostname: text } }),
    call(server, 'POST /auth/cli/poll', { body: { code: text, secret: text } }),
    call(server, 'POST /auth/cli/approve', { as: session, body: { code: text, comment: text } }),
    call(server, 'POST /upload', { body: { comments: text } }),
    call(server, 'POST /upload', { body: { login: text, password: text } }),
    call(server, 'POST /upload', { body: { files: [{ fileName: 'a', reference: text }] } }),
    call(server, 'POST /user', { as: server.admin, body: { provider: 'oidc', login: `${text}abc` } }),
    call(server, `GET /user/${inPath}`, { as: server.admin }),
    call(server, `GET /users/search?q=${inPath}`, { as: server.admin }),
    call(server, `GET /uploads?user=${inPath}&token=${inPath}`, { as: server.admin }),
    sendRequest(server.url, `/upload/${inPath}`),
    sendRequest(server.url, `/quick.txt?comments=${inPath}`, { method: 'PUT', body: 'x' }),
  ]
}
