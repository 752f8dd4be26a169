import { afterEach, beforeAll } from 'vitest'
import { describeOn, newDatabase } from '../support/databases/network-databases.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { testRelay } from './relay-suite.ts'

describeOn('postgres', 'streams', () => {
  let directory: string
  let servers: Svcd[] = []
  beforeAll(async () => {
    directory = await emptyDirectory()
  })
  afterEach(async () => {
    for (const server of servers) server.kill('SIGKILL')
    await Promise.all(servers.map(({ ended }) => ended))
  })

  testRelay('two processes on one PostgreSQL database', async () => {
    const { connectionString } = await newDatabase('postgres')
    const settings = {
      LOG_LEVEL: 'error',
      METADATA_BACKEND_CONFIG_DRIVER: 'postgres',
      METADATA_BACKEND_CONFIG_CONNECTION_STRING: connectionString,
    }
    const one = await startSvcd(directory, settings)
    const other = await startSvcd(directory, settings)
    servers = [one, other]
    return { one, other }
  })
})
