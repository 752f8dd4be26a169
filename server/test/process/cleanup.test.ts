import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryBackend } from '../../src/data/memory/memory.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { connectDirectly, type DirectConnection } from '../support/databases/direct-connection.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'

const roundTrips = 5

/** The number of parallel removals of the server, and a larger number of files. */
const concurrency = 8
const files = 11

let directory: string
let server: TestServer
let database: DirectConnection
/** Keys that the store must remove, each with the function that allows it. */
let removals: { readonly key: string; readonly goOn: () => void }[]

beforeEach(async () => {
  removals = []
  const memory = memoryBackend()
  const remove = async (key: string) => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    removals.push({
      key,
      goOn: () => {
        resolve(undefined)
      },
    })
    await promise
    await memory.remove(key)
  }
  directory = await emptyDirectory()
  server = await startTestServer({ directory, data: { ...memory, remove }, config: { shutdownTimeout: 30 } })
  database = await connectDirectly(server.config.metadataBackend)
  for (let n = 0; n < files; n += 1) {
    const { upload, uploadToken } = await storeUpload(server)
    await server.client.removeUpload(upload.id, { uploadToken })
  }
})
afterEach(async () => {
  await database.close()
})

/** The next cleanup begins, and a running one has time for its next step. */
async function nextCleanup(): Promise<void> {
  server.clock.advance(server.config.cleaningInterval * 1000)
  for (let trip = 0; trip < roundTrips; trip += 1) await sendRequest(server.url, '/health')
}

const statuses = async () =>
  (await database.query(`select "status" from files order by "status"`)).map(({ status }) => status)

test('a cleanup that takes longer than the interval is the only one: no file is removed twice', async () => {
  await nextCleanup()
  await until('files are removed', () => removals.length === concurrency)
  await nextCleanup()
  await nextCleanup()
  expect(removals).toHaveLength(concurrency)
  for (let next = 0; next < files; next += 1) {
    await until('the next file is removed', () => removals.length > next)
    removals[next]?.goOn()
  }
  await until('all are', async () => !(await statuses()).includes('removed'))
  expect(new Set(removals.map(({ key }) => key)).size).toBe(files)
  expect(removals).toHaveLength(files)
  await server.close()
})

test('a cleanup that runs when the server stops completes its current files and begins no others', async () => {
  await nextCleanup()
  await until('files are removed', () => removals.length === concurrency)
  const closed = server.close()
  for (const { goOn } of removals) goOn()
  await closed
  expect(removals).toHaveLength(concurrency)
  const count = async (status: string) => (await statuses()).filter((found) => found === status).length
  expect([await count('deleted'), await count('removed')]).toEqual([concurrency, files - concurrency])
})
