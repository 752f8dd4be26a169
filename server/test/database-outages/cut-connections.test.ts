import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createUser, createUserToken, signIn, userPassword } from '../support/clients/accounts.ts'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { connectDirectly, type DirectConnection } from '../support/databases/direct-connection.ts'
import { cuttableDatabase, type CuttableDatabase } from '../support/databases/cuttable-database.ts'
import { describeOn, networkKinds, newDatabase } from '../support/databases/network-databases.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import { startServerWithAccounts, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'

const quota = 1_000_000
const cleanupInterval = 300_000

for (const kind of networkKinds) {
  describeOn(kind, 'a connection to the database that is cut', () => {
    let way: CuttableDatabase
    let directory: string
    let server: ServerWithAccounts
    let second: ServerWithAccounts
    let database: DirectConnection
    let token: string
    beforeAll(async () => {
      directory = await emptyDirectory()
      const direct = await newDatabase(kind)
      way = await cuttableDatabase(direct.connectionString)
      const metadataBackend = { ...direct, connectionString: way.connectionString }
      server = await startServerWithAccounts({ directory, config: { metadataBackend } })
      second = await startServerWithAccounts({ directory, config: { metadataBackend: direct } })
      database = await connectDirectly(direct)
      await createUser(server, server.admin, { login: 'owner', maxUserSize: quota })
      token = await createUserToken(server, await signIn(server, { login: 'owner', password: userPassword }))
    })
    afterEach(() => {
      way.heal()
    })
    afterAll(async () => {
      await second.close()
      await server.close()
      await way.close()
      await database.close()
    })

    const works = async () => {
      const { status } = await sendRequest(server.url, '/works.txt', { method: 'PUT', body: 'x' })
      return status === 200
    }
    const upload = (name: string) =>
      sendRequest(server.url, `/${name}?oneShot=true`, {
        method: 'PUT',
        headers: { 'x-svctoken': token },
        body: `content of ${name}`,
      })
    /** Two scheduled cleanups of the server. */
    const cleanTwice = async () => {
      for (let round = 0; round < 2; round++) {
        server.clock.advance(cleanupInterval)
        await until('nothing is being received or to be deleted', async () => {
          const open = await database.query(`select 1 from files where status in ('uploading', 'removed')`)
          return open.length === 0
        })
      }
      second.clock.advance(2 * cleanupInterval)
    }

    test.each(['before', 'after'] as const)(
      'at any moment, %s a statement: no 500, every file is had once, nothing leaks',
      async (moment) => {
        const kept = new Map<string, number>()
        for (let at = 1; ; at++) {
          const name = `${moment}-${String(at)}.txt`
          way.cutAt(at, moment)
          const sent = await upload(name)
          expect([200, 503]).toContain(sent.status)
          if (sent.status === 503) expect(sent.headers['retry-after']).toBe('5')
          const path = new URL(sent.status === 200 ? sent.text.trim() : server.url).pathname
          let had = 0
          if (sent.status === 200) {
            const got = await sendRequest(server.url, path)
            if (got.status === 200) {
              expect(got.text).toBe(`content of ${name}`)
              had = 1
            } else expect(errorIn(got)).toEqual({ status: 503, code: 'unavailable' })
            kept.set(path, had)
          }
          if (way.heal() < at) break
          await until('uploads are taken again', works)
        }
        expect(kept.size).toBeGreaterThan(5)
        server.clock.advance(2_000)
        await cleanTwice()
        for (const [path, had] of kept) {
          const { status } = await sendRequest(server.url, path)
          expect([path, status]).toEqual([path, had === 1 ? 404 : 200])
        }
        await cleanTwice()
        for (const path of kept.keys()) expect((await sendRequest(second.url, path)).status).toBe(404)
        await expectCorrectCounters(database, server)
      },
    )

    test('as a file is completed, and the database stays unavailable for a while: listed files can be downloaded', async () => {
      const { id, uploadToken = '' } = await server.client.createUpload()
      way.leaveAfterCommit(/crc32.{1,3} = /)
      const sent = server.client.addFile(id, new Blob(['kept']), { fileName: 'kept.txt', uploadToken })
      await expect(sent).rejects.toMatchObject({ status: 503 })
      way.heal()
      await until('uploads are taken again', works)
      const { files } = await second.client.upload(id)
      expect(files.map(({ status }) => status)).toEqual(['uploaded'])
      expect((await sendRequest(second.url, `/file/${id}/${files[0]?.id ?? ''}/kept.txt`)).text).toBe('kept')
    })

    test('after the last byte of a one-shot download: it counts as soon as the database is back', async () => {
      const { path } = await storeUpload(server, 'once', { oneShot: true })
      way.leaveOn(/fileCount.{1,3} - /)
      expect((await sendRequest(server.url, path)).text).toBe('once')
      await until('the claim is all that is left', async () => {
        const [row] = await database.query('select status from files where claim is not null')
        return row?.['status'] === 'uploaded'
      })
      expect(errorIn(await sendRequest(second.url, path))).toEqual({
        status: 409,
        code: 'download_in_progress',
      })
      server.clock.advance(1_000)
      way.heal()
      await until('the file is used up', async () => {
        server.clock.advance(1_000)
        return (await sendRequest(second.url, path)).status === 404
      })
    })

    test('after the last byte of a limited download: it counts as soon as the database is back', async () => {
      const { path, upload } = await storeUpload(server, 'twice', { maxDownloads: 2 })
      way.leaveOn(/claimed.{1,3} - /)
      expect((await sendRequest(server.url, path)).text).toBe('twice')
      await until('the claim is all that is left', async () => {
        const rows = await database.query('select 1 from claims where sealed = 1')
        return rows.length === 1
      })
      server.clock.advance(1_000)
      way.heal()
      await until('the download counts', async () => {
        server.clock.advance(1_000)
        return (await second.client.upload(upload.id)).files[0]?.downloadsLeft === 1
      })
      expect((await sendRequest(second.url, path)).text).toBe('twice')
      await until('the second download counts', async () => {
        const { status } = await sendRequest(second.url, path)
        expect([404, 409]).toContain(status)
        return status === 404
      })
    })

    test.each([
      ['one-shot', { oneShot: true }],
      ['limited', { maxDownloads: 1_000 }],
    ])('before a %s download begins: it can be begun again at once', async (_name, options) => {
      for (let at = 1; ; at++) {
        const { path } = await storeUpload(second, 'once', options)
        way.cutAt(at, 'after')
        const { status } = await sendRequest(server.url, path)
        const over = way.heal() < at
        if (status !== 200) expect((await sendRequest(second.url, path)).text).toBe('once')
        if (over) break
        await until('uploads are taken again', works)
      }
    })
  })
}
