import { filePath, type File, type Upload } from '@svc/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jsonIn } from '../../support/clients/send-request.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { fileStatuses } from '../../support/servers/server-data.ts'
import { until } from '../../support/until.ts'
import { write } from '../../support/databases/sqlite-writes.ts'
import { uploadMethods, form } from '../quotas/upload-methods.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let member: Member
beforeAll(async () => {
  server = await startServerWithAccounts()
})
beforeEach(async () => {
  member = await newMember(server)
})
afterAll(() => server.close())

const mine = async (as = member.session) => jsonIn(await call(server, 'GET /me/stats', { as }))
const all = async () =>
  jsonIn(await call(server, 'GET /stats', { as: server.admin })) as Record<string, number>

/** How the stats of the server change by an action. */
async function changeBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await all()
  await work()
  const after = await all()
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]))
}
const change = (changes: Record<string, number>) => ({
  users: 0,
  uploads: 0,
  anonymousUploads: 0,
  files: 0,
  totalSize: 0,
  anonymousTotalSize: 0,
  ...changes,
})
const send = (size: number, headers: Readonly<Record<string, string>> = member.session.headers) =>
  uploadMethods['raw body'](server, headers, 'x'.repeat(size))

test('a user without uploads has zero counts', async () => {
  expect(await mine()).toEqual({ uploads: 0, files: 0, totalSize: 0 })
})

test('uploads count for their user and the server only', async () => {
  const other = await newMember(server)
  const changed = await changeBy(async () => {
    await send(10)
    await send(0)
    await send(7, other.session.headers)
  })
  expect(changed).toEqual(change({ uploads: 3, files: 3, totalSize: 17 }))
  expect(await mine()).toEqual({ uploads: 2, files: 2, totalSize: 10 })
  expect(await mine(other.session)).toEqual({ uploads: 1, files: 1, totalSize: 7 })
})

test('anonymous uploads are counted separately', async () => {
  const changed = await changeBy(() => send(10, {}))
  expect(changed).toEqual(
    change({ uploads: 1, anonymousUploads: 1, files: 1, totalSize: 10, anonymousTotalSize: 10 }),
  )
})

test('users are counted when they are created and deleted', async () => {
  expect(await changeBy(() => newMember(server))).toEqual(change({ users: 1 }))
  expect(await changeBy(() => call(server, 'DELETE /me', { as: member.session }))).toEqual(
    change({ users: -1 }),
  )
})

test('files count while their status is uploaded: not declared, arriving or removed', async () => {
  const body = { files: [{ fileName: 'declared', fileSize: 500 }] }
  const { id } = jsonIn(await call(server, 'POST /upload', { as: member.session, body })) as Upload
  expect(await mine()).toEqual({ uploads: 1, files: 0, totalSize: 0 })

  const connection = await rawConnection(server.url)
  const head = { ...member.session.headers, 'content-length': 900 }
  await connection.send(requestHead('PUT', '/name.txt', head))
  await connection.send('x'.repeat(400))
  await until('the file is arriving', () => fileStatuses(server).includes('uploading'))
  expect(await mine()).toMatchObject({ files: 0, totalSize: 0 })
  await connection.send('x'.repeat(500))
  await connection.response()
  connection.cut()
  expect(await mine()).toEqual({ uploads: 2, files: 1, totalSize: 900 })

  const added = await form(server, `/file/${id}`, member.session.headers, 'x'.repeat(30))
  const { id: fileID, fileName } = jsonIn(added) as File
  expect(await mine()).toEqual({ uploads: 2, files: 2, totalSize: 930 })
  const path = filePath(id, fileID, fileName)
  const removed = await changeBy(() => call(server, `DELETE ${path}`, { as: member.session }))
  expect(removed).toEqual(change({ files: -1, totalSize: -30 }))
  expect(await mine()).toEqual({ uploads: 2, files: 1, totalSize: 900 })
})

test('removed uploads do not count, before and after a cleanup', async () => {
  const { headers } = await send(50)
  const id = String(headers['x-uploadid'])
  const removed = await changeBy(() => call(server, `DELETE /upload/${id}`, { as: member.session }))
  expect(removed).toEqual(change({ uploads: -1, files: -1, totalSize: -50 }))
  expect(await changeBy(() => server.clean())).toEqual(change({}))
})

test('expired uploads do not count after a cleanup', async () => {
  const upload = { as: member.session, body: { ttl: 60 } }
  const { id } = jsonIn(await call(server, 'POST /upload', upload)) as Upload
  await form(server, `/file/${id}`, member.session.headers, 'x'.repeat(5))
  server.clock.advance(60_000)
  await server.clean()
  expect(await mine()).toEqual({ uploads: 0, files: 0, totalSize: 0 })
})

test('a downloaded one-shot file does not count', async () => {
  const upload = { as: member.session, body: { oneShot: true } }
  const { id } = jsonIn(await call(server, 'POST /upload', upload)) as Upload
  const added = await form(server, `/file/${id}`, member.session.headers, 'x'.repeat(5))
  const { id: fileID, fileName } = jsonIn(added) as File
  await call(server, `GET ${filePath(id, fileID, fileName)}`)
  await until('it is used up', () => fileStatuses(server).includes('removed'))
  await until('it is not counted', async () => ((await mine()) as { files: number }).files === 0)
  expect(await mine()).toEqual({ uploads: 1, files: 0, totalSize: 0 })
})

test('an impersonating admin sees the stats of the user', async () => {
  await send(11)
  const response = await call(server, 'GET /me/stats', {
    as: server.admin,
    headers: { 'x-svc-impersonate': member.id },
  })
  expect(jsonIn(response)).toEqual({ uploads: 1, files: 1, totalSize: 11 })
})

test('numbers beyond 32 bits are counted exactly', async () => {
  await send(1)
  const size = 5_000_000_000_001
  // Nothing so large is sent.
  await write(server, 'update totals set size = ? where owner = ?', size, member.id)
  expect(await mine()).toEqual({ uploads: 1, files: 1, totalSize: size })
})
