import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { lookUp, storedFiles, writeData } from '../support/servers/server-data.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

/** Makes the database refuse to delete the rows of a table, of which one is due. */
const breakDeletions = (table: 'attempts' | 'budgets', counter: 'count' | 'used') =>
  writeData(server, (database) => {
    database.exec(
      `create trigger broken_${table} before delete on ${table} begin select raise(abort, '${table} are broken'); end`,
    )
    database.exec(`insert into ${table} ("key", "${counter}", "until") values ('due', 1, 0)`)
  })

test('a failed step of a cleanup does not stop the others, and is reported', async () => {
  await storeUpload(server, 'content', { ttl: 60 })
  await breakDeletions('attempts', 'count')
  await writeData(server, (database) => {
    database.exec(`insert into budgets ("key", "used", "until") values ('due', 1, 0)`)
  })
  server.clock.advance(61_000)
  await expect(server.clean()).rejects.toThrow('attempts are broken')
  expect(storedFiles(server)).toEqual([])
  expect(lookUp(server, `select count(*) from budgets where "key" = 'due'`)).toEqual([0])
})

test('several failed steps are all reported', async () => {
  await breakDeletions('attempts', 'count')
  await breakDeletions('budgets', 'used')
  const error: unknown = await server.clean().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(AggregateError)
  expect(error).toMatchObject({
    message: '2 steps of the cleanup failed',
    errors: [
      { message: expect.stringContaining('attempts') as string },
      { message: expect.stringContaining('budgets') as string },
    ],
  })
})
