import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { check, newDirectory } from '../commands/check/run-check.ts'
import { sendRequest, errorIn, jsonIn } from '../support/clients/send-request.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startServerWithAccounts, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'
import { until } from '../support/until.ts'
import { requestsWithOptionalChanges } from './optional-changes.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts({ features: { feature_extend_ttl: 'enabled' } })
})
afterAll(() => server.close())

const create = () => sendRequest(server.url, '/upload', { method: 'POST' })

test('while another process writes for long, such as an import, each writer gets an error in time', async () => {
  const { path } = await storeUpload(server, 'stored')
  const expectSuccess = await requestsWithOptionalChanges(server)
  const other = new DatabaseSync(join(server.directory, 'svc.db'))
  other.exec('begin immediate')
  const refused = await create()
  expect(errorIn(refused)).toEqual({ status: 503, code: 'unavailable' })
  expect(refused.headers['retry-after']).toBe('5')
  // If each of them waited as long as the first one did, the test would not end in time.
  for (let n = 0; n < 20; n += 1) expect((await create()).status).toBe(503)
  expect((await sendRequest(server.url, path)).text).toBe('stored')
  await expectSuccess()
  expect(jsonIn(refused)).toMatchObject({
    message: 'the database does not accept writes right now: try again',
  })
  const ready = async () => (await sendRequest(server.url, '/ready')).text
  expect(await ready()).toMatch(/^ok\ndatabase_read_only: .+/)
  await newDirectory()
  const files = () => readdirSync(server.directory)
  const before = files()
  const settings = {
    METADATA_BACKEND_CONFIG_CONNECTION_STRING: join(server.directory, 'svc.db'),
    DATA_BACKEND_CONFIG_DIRECTORY: join(server.directory, 'files'),
  }
  expect((await check(settings)).about('database')).toEqual([
    expect.stringMatching(/^fail SQLite .* takes no writes: it is locked by another process$/),
  ])
  expect(files()).toEqual(before)
  other.exec('rollback')
  other.close()
  expect((await create()).status).toBe(200)
  await until('it is not reported any longer', async () => {
    server.clock.advance(30_000)
    return (await ready()) === 'ok'
  })
  expect((await check(settings)).status).toBe(0)
})
