import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { connectDirectly, type DirectConnection } from '../support/databases/direct-connection.ts'
import { describeOn, networkKinds, newDatabase } from '../support/databases/network-databases.ts'
import { rawConnection, requestHead, type RawConnection } from '../support/clients/raw-connection.ts'
import { skewedEnvironment } from '../support/clocks/skewed-environment.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { emptyDirectory, runSvcd, startSvcd, type Settings, type Svcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'

const skews = [300, -300] as const

describeWith(['faketime'], 'three instances, the clock of one of which is wrong', () => {
  for (const kind of networkKinds) {
    describeOn(kind, 'on one database', () => {
      let directory: string
      let database: DirectConnection
      let settings: Settings
      beforeEach(async () => {
        directory = await emptyDirectory()
        const config = await newDatabase(kind)
        settings = {
          LOG_LEVEL: 'warn',
          CLEANING_INTERVAL_STR: '1s',
          METADATA_BACKEND_CONFIG_DRIVER: kind,
          METADATA_BACKEND_CONFIG_CONNECTION_STRING: config.connectionString,
        }
        database = await connectDirectly(config)
      })

      const running: Svcd[] = []
      afterEach(async () => {
        await database.close()
        for (const process of running.splice(0)) {
          process.kill('SIGKILL')
          await process.ended
        }
      })
      const start = async (environment?: Readonly<Record<string, string>>) => {
        const started = await startSvcd(directory, settings, environment)
        running.push(started)
        return started
      }

      test.each(skews)('a clock that is %i s off ends no transfer and serves nothing twice', async (skew) => {
        const right = await start()
        const other = await start()
        const wrong = await start(skewedEnvironment(skew))
        const all = [right, other, wrong]

        const arriving = await Promise.all(all.map(beginUpload))
        await until('every file arrives', async () => {
          const rows = await database.query(`select 1 from files where "status" = 'uploading'`)
          return rows.length === all.length
        })
        const bytes = randomBytes(20_000_000)
        const [here, there] = await Promise.all(
          all.slice(1).map(async () => (await storeUpload(other, bytes, { oneShot: true })).path),
        )
        const atRight = await beginDownload(right, String(here))
        const atWrong = await beginDownload(wrong, String(there))
        const inProgress = { status: 409, code: 'download_in_progress' }
        expect(errorIn(await sendRequest(wrong.url, String(here)))).toEqual(inProgress)
        for (const at of [right, other])
          expect(errorIn(await sendRequest(at.url, String(there)))).toEqual(inProgress)

        // An end means the same moment to all of them.
        for (const at of all) {
          const { path } = await storeUpload(at, Buffer.from('short'), { ttl: 120 })
          for (const instance of all) expect((await sendRequest(instance.url, path)).status).toBe(200)
        }
        const over = await Promise.all(all.map((at) => storeUpload(at, Buffer.from('over'), { ttl: 1 })))
        const ids = over.map(({ upload }) => `'${upload.id}'`).join()
        await until('they have cleaned', async () => {
          const rows = await database.query(
            `select 1 from uploads where "id" in (${ids}) and "deletedAt" is not null`,
          )
          return rows.length === all.length
        })

        const refused = await runSvcd(['clean'], directory, settings, skewedEnvironment(skew))
        expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('cleanup is paused')])
        // `svcd clean` takes a process without heartbeats for dead at once, unlike servers in their first two minutes.
        expect((await runSvcd(['clean'], directory, settings)).output).toContain('removed 0 abandoned files')

        for (const connection of arriving) {
          await connection.send('x'.repeat(1_000))
          expect((await connection.response()).status).toBe(200)
          connection.cut()
        }
        for (const [{ connection, length }, path] of [
          [atRight, String(here)],
          [atWrong, String(there)],
        ] as const) {
          expect((await connection.take(length)).equals(bytes)).toBe(true)
          connection.cut()
          for (const at of all)
            await until('it is used up', async () => (await sendRequest(at.url, path)).status === 404)
        }

        // It leaves the cleanup to the others, and logs it.
        await until('the wrong one says so', () => /"clockOffsetSeconds":-?(299|300|301)/.test(wrong.log()))
        expect((await sendRequest(wrong.url, '/ready')).text).toMatch(/clock_wrong/)
        for (const at of [right, other]) {
          expect((await sendRequest(at.url, '/ready')).text).toBe('ok')
          expect(at.log()).toBe('')
        }
      })
    })
  }
})

/** Sends the first half of a file. */
async function beginUpload({ url }: Svcd): Promise<RawConnection> {
  const connection = await rawConnection(url)
  await connection.send(requestHead('PUT', '/arriving.bin', { 'content-length': 2_000 }))
  await connection.send('x'.repeat(1_000))
  return connection
}

/** Asks for a file that is more than the system keeps for a client that does not read. */
async function beginDownload({ url }: Svcd, path: string) {
  const connection = await rawConnection(url)
  await connection.send(requestHead('GET', path))
  const { status, headers } = await connection.head()
  expect(status).toBe(200)
  return { connection, length: Number(headers['content-length']) }
}
