import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../machine/temporary-directory.ts'
import { connectDirectly } from './direct-connection.ts'

test('a query waits for a transaction of the same process', async () => {
  const connectionString = join(await temporaryDirectory(), 'svc.db')
  using other = new DatabaseSync(connectionString)
  other.exec('create table counts (value integer); begin immediate; insert into counts values (1)')
  const direct = await connectDirectly({ driver: 'sqlite3', connectionString, fsync: false })
  const written = direct.query('insert into counts values (2)')
  setImmediate(() => {
    other.exec('commit')
  })
  await written
  expect(await direct.query('select value from counts')).toEqual([{ value: 1 }, { value: 2 }])
  await direct.close()
})
