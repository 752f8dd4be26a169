import type { Upload } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonIn, errorIn, type TestResponse } from '../../support/clients/send-request.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import { fileStatuses } from '../../support/servers/server-data.ts'
import { randomBytes } from '../../support/clients/stored-upload.ts'
import {
  uploadMethodNames,
  uploadMethods,
  form,
  usedSize,
  wrongCounters,
  type UploadMethod,
} from './upload-methods.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts({ config: { maxUserSize: 1_000 } })
})
afterAll(async () => {
  expect(wrongCounters(server)).toEqual([])
  await server.close()
})

const send = ({ session }: Member, size: number, method: UploadMethod = 'raw body') =>
  uploadMethods[method](server, session.headers, 'x'.repeat(size))
const setQuota = (member: Member, maxUserSize: number) =>
  call(server, `POST /user/${member.id}`, { as: server.admin, body: { maxUserSize } })

/** The response to a quick upload is a text, and to others JSON with a code. */
const expectFull = ({ status, text }: TestResponse, limit: string) => {
  expect(status).toBe(413)
  expect(text).toContain(`the quota of the user is reached (limit is ${limit})`)
}

test.each(uploadMethodNames)('by %s, a user stores the quota exactly, and no byte more', async (method) => {
  const member = await newMember(server)
  expect((await send(member, 400, method)).status).toBe(200)
  expectFull(await send(member, 601, method), '1 kB')
  expect(usedSize(server, member.id)).toBe(400)
  expect((await send(member, 600, method)).status).toBe(200)
  expect(usedSize(server, member.id)).toBe(1_000)
  expectFull(await send(member, 1, method), '1 kB')
  expect((await send(member, 0, method)).status).toBe(200)
  expect(usedSize(server, member.id)).toBe(1_000)
})

test('a rejected file leaves neither a file nor an upload behind', async () => {
  const member = await newMember(server)
  for (const method of uploadMethodNames) expectFull(await send(member, 1_001, method), '1 kB')
  expect(fileStatuses(server).includes('uploading')).toBe(false)
  const stats = jsonIn(await call(server, 'GET /me/stats', { as: member.session }))
  expect(stats).toMatchObject({ files: 0, totalSize: 0 })
})

test.each(uploadMethodNames)('parallel uploads by %s cannot exceed the quota', async (method) => {
  const member = await newMember(server)
  const responses = await Promise.all(Array.from({ length: 10 }, () => send(member, 300, method)))
  const stored = responses.filter(({ status }) => status === 200)
  for (const response of responses.filter(({ status }) => status !== 200)) expectFull(response, '1 kB')
  expect(stored).toHaveLength(3)
  expect(usedSize(server, member.id)).toBe(900)
})

test('large parallel files of unknown length cannot exceed the quota', async () => {
  const member = await newMember(server)
  await setQuota(member, 10_000_000)
  const content = randomBytes(3_000_000)
  const sendUpload = () =>
    uploadMethods['raw body of unknown length'](server, member.session.headers, content)
  const responses = await Promise.all(Array.from({ length: 6 }, sendUpload))
  const stored = responses.filter(({ status }) => status === 200).length
  expect(stored).toBeLessThanOrEqual(3)
  expect(usedSize(server, member.id)).toBe(stored * 3_000_000)
  for (let more = stored; more < 3; more++) expect((await sendUpload()).status).toBe(200)
  expectFull(await sendUpload(), '10 MB')
})

test('two servers on one database cannot exceed the quota', async () => {
  const member = await newMember(server)
  const { config, directory, clock } = server
  const features = { feature_authentication: 'enabled' } as const
  const { accounts, maxUserSize } = config
  const second = await startTestServer({ features, config: { accounts, maxUserSize }, directory, clock })
  const other = { ...server, ...second }
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      uploadMethods['raw body'](n % 2 === 0 ? server : other, member.session.headers, 'x'.repeat(300)),
    ),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
  await second.close()
})

test('the quota of a user overrides that of the server, smaller or larger', async () => {
  const [smaller, larger, unlimited] = [
    await newMember(server, { maxUserSize: 5 }),
    await newMember(server, { maxUserSize: 2_000 }),
    await newMember(server, { maxUserSize: -1 }),
  ]
  expect((await send(smaller, 5)).status).toBe(200)
  expectFull(await send(smaller, 1), '5 B')
  expect((await send(larger, 2_000)).status).toBe(200)
  expectFull(await send(larger, 1), '2 kB')
  expect((await send(unlimited, 5_000)).status).toBe(200)
  expect([smaller, larger, unlimited].map(({ id }) => usedSize(server, id))).toEqual([5, 2_000, 5_000])
})

test('a quota below the stored bytes removes nothing and rejects uploads; an unlimited user is still counted', async () => {
  const member = await newMember(server)
  await send(member, 800)
  await setQuota(member, 500)
  expectFull(await send(member, 1), '500 B')
  expect((await send(member, 0)).status).toBe(200)
  await setQuota(member, -1)
  expect((await send(member, 700)).status).toBe(200)
  await setQuota(member, 1_500)
  expectFull(await send(member, 1), '1.5 kB')
  await setQuota(member, 0)
  expectFull(await send(member, 1), '1 kB')
  expect(usedSize(server, member.id)).toBe(1_500)
})

test('anonymous uploads have no quota', async () => {
  expect((await uploadMethods['raw body'](server, {}, 'x'.repeat(5_000))).status).toBe(200)
})

test('bytes that another user adds with the token of the upload count against its owner only', async () => {
  const [owner, helper] = [await newMember(server), await newMember(server)]
  const created = await call(server, 'POST /upload', { as: owner.session, body: {} })
  const { id, uploadToken = '' } = jsonIn(created) as Upload
  const add = (size: number, headers: Readonly<Record<string, string>> = {}) =>
    form(server, `/file/${id}`, { 'x-uploadtoken': uploadToken, ...headers }, 'x'.repeat(size))
  expect((await add(600)).status).toBe(200)
  expect((await add(300, helper.session.headers)).status).toBe(200)
  expect([usedSize(server, owner.id), usedSize(server, helper.id)]).toEqual([900, 0])
  expect(errorIn(await add(101, helper.session.headers))).toEqual({ status: 413, code: 'quota_reached' })
  expect((await add(100)).status).toBe(200)
  expect(usedSize(server, owner.id)).toBe(1_000)
})

test('uploads with a token of the user, and by an admin who acts as the user, count as the user’s', async () => {
  const member = await newMember(server)
  const created = await call(server, 'POST /me/token', { as: member.session, body: {} })
  const { token } = jsonIn(created) as { token: string }
  const acting = { ...server.admin.headers, 'x-svc-impersonate': member.id }
  expect((await uploadMethods['raw body'](server, { 'x-svctoken': token }, 'x'.repeat(500))).status).toBe(200)
  expect((await uploadMethods['raw body'](server, acting, 'x'.repeat(500))).status).toBe(200)
  expect(usedSize(server, member.id)).toBe(1_000)
  expectFull(await uploadMethods['raw body'](server, { 'x-svctoken': token }, 'x'), '1 kB')
})

test('a declared size reserves nothing: bytes count when they arrive', async () => {
  const member = await newMember(server)
  const body = { files: [{ fileName: 'file.txt', fileSize: 5_000 }] }
  const created = await call(server, 'POST /upload', { as: member.session, body })
  expect(created.status).toBe(200)
  expect(usedSize(server, member.id)).toBe(0)
  const { id, files } = jsonIn(created) as Upload
  const path = `/file/${id}/${files[0]?.id ?? ''}/file.txt`
  expect((await form(server, path, member.session.headers, 'x'.repeat(10))).status).toBe(200)
  expect(usedSize(server, member.id)).toBe(10)
})
