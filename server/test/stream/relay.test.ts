import { afterEach } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { testRelay } from './relay-suite.ts'

let directory: string
let servers: Svcd[] = []

async function start() {
  directory = await emptyDirectory()
  const settings = { LOG_LEVEL: 'error' }
  const one = await startSvcd(directory, settings)
  const other = await startSvcd(directory, settings)
  servers = [one, other]
  return { one, other }
}

afterEach(async () => {
  for (const server of servers) server.kill('SIGKILL')
  await Promise.all(servers.map(({ ended }) => ended))
})

testRelay('two processes on one SQLite database', start)
