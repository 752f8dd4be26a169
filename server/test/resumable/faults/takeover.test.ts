import { expect, test } from 'vitest'
import { errorIn, type TestResponse } from '../../support/clients/send-request.ts'
import { storedFiles } from '../../support/servers/server-data.ts'
import { randomBytes } from '../../support/clients/stored-upload.ts'
import { describeCluster } from '../../support/servers/cluster.ts'
import { until } from '../../support/until.ts'
import type { RawConnection } from '../../support/clients/raw-connection.ts'
import type { ServerWithAccounts } from '../../support/servers/server-with-accounts.ts'
import {
  again,
  expectWhole,
  headAgain,
  readListedFile,
  beginPart,
  patch,
  ticking,
  tus,
  type TusFile,
  newFile,
} from '../tus.ts'

const bytes = randomBytes(700_000)

/** The end of an older connection that is cut: a response, or only its end. */
async function heard(connection: RawConnection): Promise<number | 'closed'> {
  const { promise, resolve } = Promise.withResolvers<'closed'>()
  connection.socket.on('close', () => {
    resolve('closed')
  })
  return Promise.race([connection.response().then(({ status }) => status), promise])
}

describeCluster('two connections for one file', (newCluster) => {
  const startCluster = async (where: 'one' | 'both') => {
    const cluster = await newCluster()
    const one = await cluster.start()
    const other = where === 'one' ? one : await cluster.start()
    const servers: readonly ServerWithAccounts[] = where === 'one' ? [one] : [one, other]
    const file = await newFile(one, { size: bytes.length })
    const database = await cluster.connect()
    /** A connection that holds the upload lock and has sent its first bytes. */
    const startWriter = async (sent: number) => {
      const connection = await beginPart(one, file, 0, bytes.length)
      await connection.send(bytes.subarray(0, sent))
      await until('it is the writer', async () => {
        const [row] = await database.query('select "writer" from resumables')
        return typeof row?.['writer'] === 'string'
      })
      return connection
    }
    /** A connection that waits for the upload lock. */
    const successor = async () =>
      (await database.query('select "successor" from resumables'))[0]?.['successor']
    return { cluster, one, other, servers, file, writing: startWriter, successor }
  }
  /** Continues at the offset of HEAD. */
  const complete = async (
    server: ServerWithAccounts,
    servers: readonly ServerWithAccounts[],
    file: TusFile,
  ) => {
    const { status, headers } = await ticking(servers, headAgain(server, file))
    expect(status).toBe(200)
    const offset = Number(headers['upload-offset'])
    if (offset < bytes.length)
      expect(
        (
          await ticking(
            servers,
            again(() => patch(server, file, offset, bytes.subarray(offset))),
          )
        ).status,
      ).toBe(204)
    await expectWhole(server, file, bytes)
    return offset
  }

  for (const where of ['one', 'both'] as const) {
    const at = where === 'one' ? 'at one server' : 'at two servers'

    test(`${at}: HEAD cuts the older connection, and its bytes are kept`, async () => {
      const { other, servers, file, writing } = await startCluster(where)
      const older = await writing(400_000)
      const newer = complete(other, servers, file)
      expect(await ticking(servers, heard(older))).toBe(409)
      const offset = await newer
      expect(offset).toBeLessThanOrEqual(400_000)
      older.cut()
    })

    test(`${at}: a PATCH cuts the older connection, and continues at its end or is rejected`, async () => {
      const { other, servers, file, writing } = await startCluster(where)
      const older = await writing(100_000)
      const newer = await ticking(
        servers,
        again(() => patch(other, file, 0, bytes)),
      )
      expect([204, 409]).toContain(newer.status)
      expect([409, 'closed']).toContain(await ticking(servers, heard(older)))
      await complete(other, servers, file)
    })

    test(`${at}: a request during the last part gets a response`, async () => {
      const { one, other, servers, file } = await startCluster(where)
      const pending: Promise<TestResponse>[] = [again(() => patch(one, file, 0, bytes))]
      for (let n = 0; n < 6; n += 1) pending.push(headAgain(n % 2 === 0 ? one : other, file))
      const [sent, ...heads] = await ticking(servers, Promise.all(pending))
      expect([204, 409]).toContain(sent?.status)
      for (const { status } of heads) expect([200, 409]).toContain(status)
      expect(heads.map(({ status }) => status)).toContain(200)
      await complete(other, servers, file)
    })

    test(`${at}: of many writers none destroys the bytes of another`, async () => {
      const { one, other, servers, file } = await startCluster(where)
      const all = Array.from({ length: 8 }, (_, n) =>
        again(() => patch(n % 2 === 0 ? one : other, file, 0, bytes)),
      )
      for (const { status } of await ticking(servers, Promise.all(all))) expect([204, 409]).toContain(status)
      await complete(one, servers, file)
    })

    test(`${at}: the removal of a file cuts its writer, and nothing remains`, async () => {
      const { cluster, one, other, servers, file, writing } = await startCluster(where)
      const older = await writing(400_000)
      await readListedFile(one, file)
      const path = `/file/${file.target.id}/${file.id}/file.bin`
      expect((await tus(other, file.target, 'DELETE', { path })).status).toBe(200)
      expect(await ticking(servers, heard(older))).toBe(404)
      older.cut()
      expect(errorIn(await patch(other, file, 0, bytes)).status).toBe(404)
      await other.clean()
      await other.clean()
      expect(storedFiles(cluster)).toEqual([])
      expect((await readListedFile(one, file)).status).toBe('deleted')
    })

    test(`${at}: the sender of a file whose upload is removed learns that it is gone`, async () => {
      const { other, servers, file, writing } = await startCluster(where)
      const older = await writing(400_000)
      const path = `/upload/${file.target.id}`
      expect((await tus(other, file.target, 'DELETE', { path })).status).toBe(200)
      expect(await ticking(servers, heard(older))).toBe(404)
      older.cut()
    })

    test(`${at}: the termination of a file cuts its writer`, async () => {
      const { cluster, other, servers, file, writing } = await startCluster(where)
      const older = await writing(400_000)
      expect(
        (
          await ticking(
            servers,
            again(() => tus(other, file.target, 'DELETE', { path: file.path })),
          )
        ).status,
      ).toBe(204)
      expect([404, 409]).toContain(await ticking(servers, heard(older)))
      older.cut()
      expect(storedFiles(cluster)).toEqual([])
    })
  }

  test('at two servers: a termination succeeds even if a newer request arrives meanwhile', async () => {
    const { cluster, other, servers, file, writing, successor } = await startCluster('both')
    const older = await writing(400_000)
    const removed = again(() => tus(other, file.target, 'DELETE', { path: file.path }))
    await until('it waits', async () => (await successor()) !== null)
    const first = await successor()
    const newer = again(() => patch(other, file, 0, bytes))
    await until('the newer one waits', async () => (await successor()) !== first)
    expect((await ticking(servers, removed)).status).toBe(204)
    expect([404, 409]).toContain((await ticking(servers, newer)).status)
    expect([404, 409]).toContain(await ticking(servers, heard(older)))
    older.cut()
    expect(storedFiles(cluster)).toEqual([])
  })

  test('at two servers: hashes that begin at one server are correct at the other', async () => {
    const { one, other, servers, file } = await startCluster('both')
    let server = one
    for (let offset = 0; offset < bytes.length; offset += 100_000) {
      const part = bytes.subarray(offset, offset + 100_000)
      expect(
        (
          await ticking(
            servers,
            again(() => patch(server, file, offset, part)),
          )
        ).status,
      ).toBe(204)
      server = server === one ? other : one
    }
    await expectWhole(one, file, bytes)
  })
})
