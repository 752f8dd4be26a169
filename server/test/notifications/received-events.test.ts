import { expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { startReceiver, type Receiver } from '../support/notifications/receiver.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'
import { call, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'
import { until } from '../support/until.ts'
import { newOwner, newRequest, sendOne } from '../requests/caller.ts'

const { notifications } = defaultConfig('/')
const hour = 3_600_000

describeCluster('request.received', (newCluster) => {
  const config = { notifications: { ...notifications, privateNetworks: ['127.0.0.1/32'] } }

  const start = async (cluster: Cluster) => {
    const receiver = await startReceiver()
    const server = await cluster.start({ config })
    return { receiver, server, [Symbol.asyncDispose]: () => receiver.close() }
  }

  /** An account whose webhook receives the event, with a request. */
  const subscribe = async (server: ServerWithAccounts, receiver: Receiver) => {
    const { member, client } = await newOwner(server)
    const body = { url: receiver.url, events: ['request.received'] }
    await call(server, 'POST /me/webhooks', { as: member.session, body })
    const request = await client.createUploadRequest({ title: 'Photos' })
    return { member, client, id: request.id }
  }

  const bodiesOf = (receiver: Receiver) =>
    receiver.received.map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: object })

  /** Ends an interval, and waits until what has been published is delivered. A longer jump would end the leases of messages. */
  const settle = async (cluster: Cluster, server: ServerWithAccounts) => {
    server.clock.advance(5_000)
    const database = await cluster.connect()
    await until('nothing waits', async () => {
      const rows = await database.query('select id from deliveries where "finishedAt" is null')
      return rows.length === 0
    })
  }

  test('an upload is reported once, with the files that have arrived so far', async () => {
    const cluster = await newCluster()
    await using parts = await start(cluster)
    const { receiver, server } = parts
    const { client, id } = await subscribe(server, receiver)
    const { upload, uploadToken } = await sendOne(server.client, id, 'content')
    await server.client.addFile(upload.id, new Blob(['more']), { fileName: 'b', uploadToken })
    const timestamp = new Date(server.clock.now()).toISOString()
    server.clock.advance(5_000)
    await receiver.receives(1)
    const data = { requestID: id, uploadID: upload.id, files: 2, size: 11 }
    expect(bodiesOf(receiver)).toEqual([{ type: 'request.received', timestamp, data }])
    await server.client.addFile(upload.id, new Blob(['again']), { fileName: 'c', uploadToken })
    await settle(cluster, server)
    const other = await sendOne(server.client, id, 'x')
    server.clock.advance(5_000)
    await receiver.receives(2)
    expect(bodiesOf(receiver).at(-1)?.data).toEqual({
      requestID: id,
      uploadID: other.upload.id,
      files: 1,
      size: 1,
    })
    await settle(cluster, server)
    server.clock.advance(hour)
    await server.client.addFile(upload.id, new Blob(['late']), { fileName: 'd', uploadToken })
    server.clock.advance(5_000)
    await receiver.receives(3)
    expect(bodiesOf(receiver).at(-1)?.data).toEqual({ ...data, files: 4, size: 20 })
    expect(await client.uploadRequest(id)).toMatchObject({ uploads: 2, files: 5 })
  })

  test('two instances that receive files of one upload report it once, also to streams of events', async () => {
    const cluster = await newCluster()
    await using parts = await start(cluster)
    const { receiver, server } = parts
    const second = await cluster.start({ config, clock: server.clock })
    const { client, id } = await subscribe(server, receiver)
    const database = await cluster.connect()
    const stop = new AbortController()
    const stream = client.myEvents({ signal: stop.signal })
    const first = stream.next()
    await until(
      'events are kept',
      async () => (await database.query('select "userId" from "notificationSettings"')).length > 0,
    )
    const { upload, uploadToken } = await sendOne(server.client, id)
    server.clock.advance(5_000)
    await receiver.receives(1)
    await second.client.addFile(upload.id, new Blob(['more']), { fileName: 'b', uploadToken })
    await settle(cluster, server)
    const next = await sendOne(second.client, id)
    server.clock.advance(5_000)
    await receiver.receives(2)
    const uploads = (rows: readonly { readonly data: object }[]) =>
      rows.map(({ data }) => (data as { uploadID: string }).uploadID)
    expect(uploads(bodiesOf(receiver))).toEqual([upload.id, next.upload.id])
    const rows = await database.query('select payload from events order by "createdAt"')
    expect(uploads(rows.map(({ payload }) => JSON.parse(String(payload)) as { data: object }))).toEqual([
      upload.id,
      next.upload.id,
    ])
    server.clock.advance(2_000)
    expect((await first).value).toMatchObject({ body: { type: 'request.received' } })
    stop.abort()
  })

  test('files that were taken back, and those of others, are not reported', async () => {
    const cluster = await newCluster()
    await using parts = await start(cluster)
    const { receiver, server } = parts
    const { id } = await subscribe(server, receiver)
    const guests = await newRequest(server)
    await sendOne(server.client, guests.id)
    const { upload, uploadToken, file } = await sendOne(server.client, id)
    await server.client.removeFile(upload.id, file, { uploadToken })
    const removed = await sendOne(server.client, id)
    await server.client.removeUpload(removed.upload.id, { uploadToken: removed.uploadToken })
    await settle(cluster, server)
    const kept = await sendOne(server.client, id)
    server.clock.advance(5_000)
    await receiver.receives(1)
    expect(bodiesOf(receiver).map(({ data }) => data)).toEqual([
      { requestID: id, uploadID: kept.upload.id, files: 1, size: 7 },
    ])
  })
})
