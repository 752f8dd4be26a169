import { expect, test } from 'vitest'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import { until } from '../support/until.ts'

/** Milliseconds without a heartbeat after which a process counts as dead. */
const heartbeatTimeout = 130_000

describeCluster('a server that stalled for long', (newCluster) => {
  test('reports to its sender that another server removed the file meanwhile', async () => {
    const cluster = await newCluster()
    const [stopped, other] = [await cluster.start(), await cluster.start()]
    const connection = await rawConnection(stopped.url)
    await connection.send(requestHead('PUT', '/half.bin', { 'content-length': 2_000_000 }))
    await connection.send(new Uint8Array(1_000_000))
    const database = await cluster.connect()
    await until('the file arrives', async () => (await database.query('select 1 from files')).length === 1)
    other.clock.advance(heartbeatTimeout)
    await other.clean()
    await connection.send(new Uint8Array(1_000_000))
    const { status, body } = await connection.response()
    expect(status).toBe(404)
    expect(body.toString()).toContain('file not found')
    await other.clean()
    await expectCorrectCounters(database, cluster)
  })
})
