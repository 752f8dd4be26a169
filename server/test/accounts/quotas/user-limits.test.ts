import type { Upload } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { uploadMethodNames, uploadMethods, form } from './upload-methods.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

const day = 86_400

let server: ServerWithAccounts
let unlimited: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts({
    config: { maxFileSize: 1_000, maxTTL: 10 * day, defaultTTL: 5 * day },
  })
  unlimited = await startServerWithAccounts({ config: { maxFileSize: -1, maxTTL: -1, defaultTTL: -1 } })
})
afterAll(async () => {
  await server.close()
  await unlimited.close()
})

const largest = async (at: ServerWithAccounts, { session }: Member, size: number) => {
  for (const method of uploadMethodNames) {
    expect([method, (await uploadMethods[method](at, session.headers, 'x'.repeat(size))).status]).toEqual([
      method,
      200,
    ])
    const { status, text } = await uploadMethods[method](at, session.headers, 'x'.repeat(size + 1))
    expect([method, status]).toEqual([method, 413])
    expect(text).toContain('file too big')
  }
}

test('the largest file of the server is that of a user, a guest and an admin', async () => {
  await largest(server, await newMember(server), 1_000)
  await largest(server, { id: '', login: '', session: server.admin }, 1_000)
  await largest(server, { id: '', login: '', session: { cookie: '', xsrf: '', headers: {} } }, 1_000)
})

test.each([10, 2_000])(
  'a user whose largest file has %i bytes sends that, and not a byte more',
  async (maxFileSize) => {
    await largest(server, await newMember(server, { maxFileSize }), maxFileSize)
    await largest(unlimited, await newMember(unlimited, { maxFileSize }), maxFileSize)
  },
)

test('a user without a limit sends more than the server allows', async () => {
  const { session } = await newMember(server, { maxFileSize: -1 })
  expect((await uploadMethods['raw body'](server, session.headers, 'x'.repeat(50_000))).status).toBe(200)
})

test('a declared size is checked against the limit of the user', async () => {
  const [strict, loose] = [
    await newMember(server, { maxFileSize: 10 }),
    await newMember(server, { maxFileSize: 2_000 }),
  ]
  const declare = async ({ session }: Member, fileSize: number) =>
    (await call(server, 'POST /upload', { as: session, body: { files: [{ fileName: 'a', fileSize }] } }))
      .status
  expect([await declare(strict, 10), await declare(strict, 11)]).toEqual([200, 413])
  expect([await declare(loose, 2_000), await declare(loose, 2_001)]).toEqual([200, 413])
})

test('files that others add to an upload are limited by the limit of its owner', async () => {
  const [strict, loose] = [
    await newMember(server, { maxFileSize: 10 }),
    await newMember(server, { maxFileSize: 2_000 }),
  ]
  for (const [owner, helper, size] of [
    [strict, loose, 10],
    [loose, strict, 2_000],
  ] as const) {
    const { id, uploadToken = '' } = jsonIn(
      await call(server, 'POST /upload', { as: owner.session, body: {} }),
    ) as Upload
    const sent = { ...helper.session.headers, 'x-uploadtoken': uploadToken }
    expect((await form(server, `/file/${id}`, sent, 'x'.repeat(size))).status).toBe(200)
    expect(errorIn(await form(server, `/file/${id}`, sent, 'x'.repeat(size + 1))).code).toBe('file_too_big')
  }
})

test('a changed limit applies from then on', async () => {
  const member = await newMember(server)
  await call(server, `POST /user/${member.id}`, { as: server.admin, body: { maxFileSize: 5 } })
  await largest(server, member, 5)
  await call(server, `POST /user/${member.id}`, { as: server.admin, body: { maxFileSize: 0 } })
  await largest(server, member, 1_000)
})

const ttl = async (at: ServerWithAccounts, { session }: Pick<Member, 'session'>, ttl: number) => {
  const response = await call(at, 'POST /upload', { as: session, body: { ttl } })
  return response.status === 200 ? (jsonIn(response) as Upload).ttl : errorIn(response)
}
const infinite = { status: 400, code: 'infinite_ttl' }

test.each([
  ['the maximum of the server', 0, [5 * day, 10 * day, 10 * day, infinite]],
  ['a stricter one, which caps the default, too', 3 * day, [3 * day, 3 * day, 3 * day, infinite]],
  ['a looser one', 20 * day, [5 * day, 10 * day, 11 * day, infinite]],
  ['none', -1, [5 * day, 10 * day, 11 * day, -1]],
])('with %s for a user', async (_what, maxTTL, expected) => {
  const member = await newMember(server, { maxTTL })
  const requested = [0, 10 * day, 11 * day, -1]
  const results: unknown[] = []
  for (const requestedTTL of requested) results.push(await ttl(server, member, requestedTTL))
  expect(results).toEqual(expected)
})

test('where the server has no maximum, a user may have one', async () => {
  const [free, bound] = [await newMember(unlimited), await newMember(unlimited, { maxTTL: day })]
  expect([await ttl(unlimited, free, -1), await ttl(unlimited, free, 0)]).toEqual([-1, -1])
  expect(await ttl(unlimited, bound, -1)).toEqual(infinite)
  expect([await ttl(unlimited, bound, 0), await ttl(unlimited, bound, 2 * day)]).toEqual([day, day])
})

test('a TTL beyond the maximum is capped, and the upload expires at the returned time', async () => {
  const member = await newMember(server, { maxTTL: 60 })
  expect([
    await ttl(server, member, 59),
    await ttl(server, member, 60),
    await ttl(server, member, 61),
  ]).toEqual([59, 60, 60])
  const { headers } = await uploadMethods['raw body'](server, member.session.headers, 'x')
  const path = `GET /upload/${String(headers['x-uploadid'])}` as const
  server.clock.advance(59_999)
  expect((await call(server, path)).status).toBe(200)
  server.clock.advance(1)
  expect((await call(server, path)).status).toBe(404)
})
