import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { deliveryRecord } from '../metadata/store-suite/outbox.ts'
import { connectDirectly } from '../support/databases/direct-connection.ts'
import { describeOn, networkKinds, newDatabase } from '../support/databases/network-databases.ts'
import { startReceiver } from '../support/notifications/receiver.ts'
import { emptyDirectory, startSvcd, type Settings, type Svcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'

const messages = 2_000
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** Fills the outbox, before any instance runs. */
async function fill(database: MetadataBackendConfig): Promise<void> {
  const store = await openMetadataStore(await openDialect(database, 'service', () => undefined))
  const target = { id: 'server', userId: '' }
  const rows = Array.from({ length: messages }, () =>
    deliveryRecord(target, { userId: null, channel: 'server', createdAt: 1, dueAt: 1 }),
  )
  await store.transaction(({ outbox }) => outbox.add(rows))
  await store.close()
}

function suite(newConfig: (directory: string) => Promise<MetadataBackendConfig>): void {
  test('messages are delivered although one of two instances is killed, and each is recorded once', async () => {
    const directory = await emptyDirectory()
    const database = await newConfig(directory)
    await fill(database)
    const receiver = await startReceiver()
    const settings: Settings = {
      METADATA_BACKEND_CONFIG_DRIVER: database.driver,
      METADATA_BACKEND_CONFIG_CONNECTION_STRING: database.connectionString,
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: secret,
    }
    const start = async (): Promise<Svcd> => {
      const server = await startSvcd(directory, settings)
      open.push(() => {
        server.kill('SIGKILL')
        return server.ended
      })
      return server
    }
    open.push(receiver.close)
    // The first response is not sent, so that the first instance is killed with claims.
    let isHeld = true
    receiver.respond = (response) => {
      if (!isHeld) response.writeHead(204).end()
    }
    const killed = await start()
    await receiver.receives(10)
    killed.kill('SIGKILL')
    await killed.ended
    isHeld = false
    const direct = await connectDirectly(database)
    open.push(() => direct.close())
    const [held] = await direct.query(`select count(*) as found from deliveries where claim is not null`)
    const claimed = Number(held?.['found'])
    expect(claimed).toBeGreaterThanOrEqual(10)
    await start()
    await start()
    const statesOf = async () => {
      const rows = await direct.query(
        `select delivered, attempts, count(*) as found from deliveries group by delivered, attempts`,
      )
      return rows.map((row) => [row['delivered'], row['attempts'], Number(row['found'])].map(Number))
    }
    await until('all but the claimed ones are delivered', async () =>
      (await statesOf()).some(([delivered, , found]) => delivered === 1 && found === messages - claimed),
    )
    // The lease of the killed instance ends.
    await direct.query(`update deliveries set "dueAt" = 1 where claim is not null`)
    await until('all are delivered', async () => (await statesOf()).length === 1)
    expect(await statesOf()).toEqual([[1, 1, messages]])
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    expect(ids.size).toBe(messages)
    expect(receiver.received.length).toBeLessThanOrEqual(messages + claimed)
  })
}

describe('killed instances (sqlite3)', () => {
  suite((directory) =>
    Promise.resolve({ driver: 'sqlite3', connectionString: join(directory, 'svc.db'), fsync: false }),
  )
})
for (const kind of networkKinds)
  describeOn(kind, 'killed instances', () => {
    suite(() => newDatabase(kind))
  })
