import { afterAll, beforeAll, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { raceForDownloads } from './race.ts'

let directory: string
let servers: [Svcd, Svcd]

beforeAll(async () => {
  directory = await emptyDirectory()
  servers = [
    await startSvcd(directory, { LOG_LEVEL: 'error' }),
    await startSvcd(directory, { LOG_LEVEL: 'error' }),
  ]
})
afterAll(async () => {
  for (const server of servers) server.kill('SIGTERM')
  await Promise.all(servers.map(({ ended }) => ended))
})

test('of 200 downloads over two processes on one database exactly one gets the file, a hundred times', async () => {
  await raceForDownloads(servers, { rounds: 100 })
})
