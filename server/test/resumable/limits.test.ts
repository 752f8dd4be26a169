import { expect, test } from 'vitest'
import { jsonIn, errorIn } from '../support/clients/send-request.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { createUser, createUserToken, signIn, userPassword } from '../support/clients/accounts.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import { until } from '../support/until.ts'
import { call, freshLogin, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'
import type { User } from '@svc/contract'
import {
  begin,
  chunk,
  create,
  expectWhole,
  readListedFile,
  offsetOf,
  newTarget,
  openTargetOf,
  beginPart,
  patch,
  tus,
  type TusFile,
  newFile,
} from './tus.ts'

const tooBig = { status: 413, code: 'file_too_big' }
const quotaReached = { status: 413, code: 'quota_reached' }
const bytes = randomBytes(10_000)

/** Seconds; less than the heartbeat timeout. */
const resumableTTL = 100

describeCluster('limits of resumable uploads', (newCluster) => {
  const withUser = async (fields: Partial<User>, maxFileSize = 100_000) => {
    const cluster = await newCluster()
    const server = await cluster.start({ config: { maxFileSize, resumableTTL } })
    const login = freshLogin()
    await createUser(server, server.admin, { login, ...fields })
    const session = await signIn(server, { login, password: userPassword })
    const token = await createUserToken(server, session)
    const stats = async () => jsonIn(await call(server, 'GET /me/stats', { as: session }))
    /** Asserts that only finished files are left after two cleanups. */
    const expectAllGivenBack = async () => {
      await server.clean()
      await server.clean()
      await expectCorrectCounters(await cluster.connect(), cluster)
    }
    const setQuota = (maxUserSize: number) =>
      call(server, `POST /user/local:${login}`, { as: server.admin, body: { maxUserSize } })
    return { cluster, server, token, stats, setQuota, expectAllGivenBack }
  }
  const inChunks = async (server: ServerWithAccounts, file: TusFile, offset: number, sent: Uint8Array) => {
    const connection = await beginPart(server, file, offset, null)
    for (let at = 0; at < sent.length; at += 1_000)
      await connection.send(chunk(sent.subarray(at, at + 1_000)))
    await connection.send('0\r\n\r\n')
    const { status, body } = await connection.response()
    connection.cut()
    return errorIn({ status, text: body.toString() } as Parameters<typeof errorIn>[0])
  }

  test('a declared size beyond a limit is rejected at once, and reserves nothing', async () => {
    const { server, token, expectAllGivenBack } = await withUser({ maxFileSize: 50_000, maxUserSize: 30_000 })
    const target = await openTargetOf(server, token)
    expect(errorIn(await create(server, target, { size: 50_001 }))).toEqual(tooBig)
    expect(errorIn(await create(server, target, { size: 30_001 }))).toEqual(quotaReached)
    const file = await begin(server, target, { size: 30_000 })
    expect(errorIn(await create(server, target, { size: 1 }))).toEqual(quotaReached)
    expect((await tus(server, target, 'DELETE', { path: file.path })).status).toBe(204)
    const next = await begin(server, target, { size: bytes.length, body: bytes })
    await expectWhole(server, next, bytes)
    await expectAllGivenBack()
  })

  test('the largest file ends at the first excess byte over all its parts, for any declared size', async () => {
    const { cluster, server, expectAllGivenBack } = await withUser({}, 25_000)
    const target = await newTarget(server)
    const announced = await begin(server, target, { size: null })
    const chunked = await begin(server, target, { size: null })
    for (const file of [announced, chunked])
      for (const offset of [0, 10_000]) expect((await patch(server, file, offset, bytes)).status).toBe(204)
    expect(errorIn(await patch(server, announced, 20_000, bytes.subarray(0, 5_001)))).toEqual(tooBig)
    expect(await inChunks(server, chunked, 20_000, bytes.subarray(0, 5_001))).toEqual(tooBig)
    for (const file of [announced, chunked])
      expect((await readListedFile(server, file)).status).toBe('removed')
    expect(storedFiles(cluster)).toEqual([])
    const exact = await begin(server, target, { size: null })
    await patch(server, exact, 0, bytes)
    await patch(server, exact, 10_000, bytes)
    const last = await patch(server, exact, 20_000, bytes.subarray(0, 5_000), { 'upload-length': 25_000 })
    expect(last.status).toBe(204)
    await expectWhole(server, exact, Buffer.concat([bytes, bytes, bytes.subarray(0, 5_000)]))
    await expectAllGivenBack()
  })

  test('a size that is declared later is checked against the limits', async () => {
    const { server, token, expectAllGivenBack } = await withUser({ maxFileSize: 50_000, maxUserSize: 30_000 })
    const target = await openTargetOf(server, token)
    for (const [size, rejected] of [
      [50_001, tooBig],
      [30_001, quotaReached],
    ] as const) {
      const file = await begin(server, target, { size: null })
      expect((await patch(server, file, 0, bytes)).status).toBe(204)
      const declared = await patch(server, file, 10_000, new Uint8Array(), { 'upload-length': size })
      expect(errorIn(declared)).toEqual(rejected)
      expect((await readListedFile(server, file)).status).toBe('removed')
    }
    await expectAllGivenBack()
  })

  test('the quota ends files of unknown size at the first excess byte, and is released', async () => {
    const { cluster, server, token, stats, expectAllGivenBack } = await withUser({ maxUserSize: 25_000 })
    const target = await openTargetOf(server, token)
    for (const send of [
      async (file: TusFile) => errorIn(await patch(server, file, 20_000, bytes.subarray(0, 5_001))),
      (file: TusFile) => inChunks(server, file, 20_000, bytes.subarray(0, 5_001)),
    ]) {
      const file = await begin(server, target, { size: null })
      for (const offset of [0, 10_000]) expect((await patch(server, file, offset, bytes)).status).toBe(204)
      expect(await send(file)).toEqual(quotaReached)
      expect((await readListedFile(server, file)).status).toBe('removed')
      expect(storedFiles(cluster)).toEqual([])
    }
    expect(await stats()).toEqual({ uploads: 1, files: 0, totalSize: 0 })
    const whole = await begin(server, target, { size: 10_000, body: bytes })
    await expectWhole(server, whole, bytes)
    expect(await stats()).toEqual({ uploads: 1, files: 1, totalSize: 10_000 })
    await expectAllGivenBack()
  })

  test('two parallel files never share a quota that is enough for one', async () => {
    const { cluster, server, token, expectAllGivenBack } = await withUser({ maxUserSize: 15_000 })
    const other = await cluster.start({ config: { maxFileSize: 100_000 } })
    const target = await openTargetOf(server, token)
    const files = await Promise.all(Array.from({ length: 4 }, () => begin(server, target, { size: null })))
    const responses = await Promise.all(
      files.map((file, n) =>
        patch(n % 2 === 0 ? server : other, file, 0, bytes, { 'upload-length': bytes.length }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 413, 413, 413])
    await expectAllGivenBack()
  })

  test.each([
    ['lifted', 15_000, -1],
    ['set', -1, 15_000],
  ])('a quota that is %s between two parts is counted correctly', async (_case, before, after) => {
    const { server, token, setQuota, expectAllGivenBack } = await withUser({ maxUserSize: before })
    const target = await openTargetOf(server, token)
    const file = await begin(server, target, { size: bytes.length })
    await patch(server, file, 0, bytes.subarray(0, 6_000))
    await setQuota(after)
    expect((await patch(server, file, 6_000, bytes.subarray(6_000))).status).toBe(204)
    await expectWhole(server, file, bytes)
    await expectAllGivenBack()
  })

  test('unfinished files count for the quota, and not for the stats', async () => {
    const { server, token, stats, expectAllGivenBack } = await withUser({ maxUserSize: 15_000 })
    const target = await openTargetOf(server, token)
    const file = await begin(server, target, { size: bytes.length })
    await patch(server, file, 0, bytes.subarray(0, 6_000))
    expect(await stats()).toEqual({ uploads: 1, files: 0, totalSize: 0 })
    const all = jsonIn(await call(server, 'GET /stats', { as: server.admin }))
    expect(all).toMatchObject({ files: 0, totalSize: 0 })
    expect(errorIn(await create(server, target, { size: 5_001 }))).toEqual(quotaReached)
    expect(await offsetOf(server, file)).toBe(6_000)
    await patch(server, file, 6_000, bytes.subarray(6_000))
    await expectWhole(server, file, bytes)
    expect(await stats()).toEqual({ uploads: 1, files: 1, totalSize: 10_000 })
    await expectAllGivenBack()
  })

  test('an expired unfinished file releases its entry, its quota and its bytes', async () => {
    const { cluster, server, token, expectAllGivenBack } = await withUser({ maxUserSize: 15_000 })
    const other = await cluster.start({ clock: server.clock, config: { resumableTTL } })
    const target = await openTargetOf(server, token)
    const file = await begin(server, target, { size: 15_000 })
    await patch(server, file, 0, bytes)
    server.clock.advance(99_000)
    await server.clean()
    expect(await offsetOf(server, file)).toBe(10_000)
    server.clock.advance(1_000)
    await Promise.all([server.clean(), other.clean()])
    await Promise.all([server.clean(), other.clean()])
    expect((await readListedFile(server, file)).status).toBe('deleted')
    expect(errorIn(await patch(server, file, 10_000, bytes)).status).toBe(404)
    expect(storedFiles(cluster)).toEqual([])
    await expectAllGivenBack()
    await begin(server, target, { size: 15_000 }).then(({ path }) => tus(server, target, 'DELETE', { path }))
    await expectAllGivenBack()
  })

  test('a file that is being written does not expire, however slow the sender is', async () => {
    const { cluster, server } = await withUser({})
    const file = await newFile(server, { size: bytes.length })
    const database = await cluster.connect()
    const slow = await beginPart(server, file, 0, bytes.length)
    await slow.send(bytes.subarray(0, 10))
    await until('it is the writer', async () => {
      const [row] = await database.query('select "writer" from resumables')
      return typeof row?.['writer'] === 'string'
    })
    server.clock.advance(100_000)
    await server.clean()
    await slow.send(bytes.subarray(10))
    expect((await slow.response()).status).toBe(204)
    slow.cut()
    await expectWhole(server, file, bytes)
  })

  test('an expired upload removes its unfinished files', async () => {
    const { cluster, server, expectAllGivenBack } = await withUser({})
    const target = await newTarget(server, { ttl: 60 })
    const file = await begin(server, target, { size: 20_000 })
    const { headers } = await patch(server, file, 0, bytes)
    expect(headers['upload-expires']).toBe(new Date(server.clock.now() + 60_000).toUTCString())
    server.clock.advance(60_000)
    expect((await patch(server, file, 10_000, bytes)).status).toBe(404)
    expect((await create(server, target, { size: 1 })).status).toBe(404)
    await expectAllGivenBack()
    expect(storedFiles(cluster)).toEqual([])
  })
})
