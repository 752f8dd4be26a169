import { afterAll, beforeAll, describe, test } from 'vitest'
import { raceForDownloads } from '../one-shot/race.ts'
import { raceForManifests } from './manifest-races.ts'
import { describeOn, networkKinds, newDatabase } from '../support/databases/network-databases.ts'
import { emptyDirectory, startSvcd, type Settings, type Svcd } from '../support/servers/svcd.ts'

const rounds = 200

const racesWith = (contenders: number, settingsOf: () => Promise<Settings>) => () => {
  let servers: [Svcd, Svcd]
  beforeAll(async () => {
    const directory = await emptyDirectory()
    const settings = { LOG_LEVEL: 'error', ...(await settingsOf()) }
    servers = [await startSvcd(directory, settings), await startSvcd(directory, settings)]
  })
  afterAll(async () => {
    for (const server of servers) server.kill('SIGTERM')
    await Promise.all(servers.map(({ ended }) => ended))
  })

  test(`of ${String(contenders)} downloads over two processes exactly five get the file, two hundred times`, async () => {
    await raceForDownloads(servers, { rounds, options: { maxDownloads: 5 }, allowed: 5, contenders })
  }, 600_000)

  test.each([1, 2])(
    'with a manifest, each file is downloaded exactly %i times over two processes, and nothing stays',
    async (allowed) => {
      await raceForManifests(servers, { rounds: 25, allowed })
    },
    600_000,
  )
}

describe(
  'download limits on one SQLite database',
  racesWith(200, () => Promise.resolve({})),
)

for (const kind of networkKinds)
  describeOn(
    kind,
    'download limits',
    // Each download is several transactions there, so more contenders would take minutes.
    racesWith(20, async () => ({
      METADATA_BACKEND_CONFIG_DRIVER: kind,
      METADATA_BACKEND_CONFIG_CONNECTION_STRING: (await newDatabase(kind)).connectionString,
    })),
  )
