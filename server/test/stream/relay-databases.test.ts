import { afterAll, afterEach, beforeAll } from 'vitest'
import {
  describeOn,
  startDatabaseServer,
  type DatabaseServer,
} from '../support/databases/network-databases.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { testRelay } from './relay-suite.ts'

describeOn('postgres', 'streams', () => {
  let database: DatabaseServer
  let directory: string
  let servers: Svcd[] = []
  beforeAll(async () => {
    database = await startDatabaseServer('postgres')
    directory = await emptyDirectory()
  })
  afterEach(async () => {
    for (const server of servers) server.kill('SIGKILL')
    await Promise.all(servers.map(({ ended }) => ended))
  })
  afterAll(async () => {
    await database.remove()
  })

  testRelay('two processes on one PostgreSQL database', async () => {
    const settings = {
      LOG_LEVEL: 'error',
      METADATA_BACKEND_CONFIG_DRIVER: 'postgres',
      METADATA_BACKEND_CONFIG_CONNECTION_STRING: await database.create(),
    }
    const one = await startSvcd(directory, settings)
    const other = await startSvcd(directory, settings)
    servers = [one, other]
    return { one, other }
  })
})
