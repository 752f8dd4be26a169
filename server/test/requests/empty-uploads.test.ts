import type { Client } from '@svc/sdk'
import { expect, test } from 'vitest'
import type { Upload } from '@svc/contract'
import { begin, patch } from '../resumable/tus.ts'
import { errorIn } from '../support/clients/send-request.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import { call } from '../support/servers/server-with-accounts.ts'
import { codeOf, newOwner, newRequest, sendOne } from './caller.ts'

const hour = 3_600_000
const senders = 50

describeCluster('empty uploads of requests', (newCluster) => {
  const twoServers = async () => {
    const cluster = await newCluster()
    const one = await cluster.start()
    return { cluster, one, other: await cluster.start({ clock: one.clock }) }
  }

  const readCounts = async (client: Client, id: string, access?: { requestToken: string }) => {
    const { uploads, files, size } = await client.uploadRequest(id, access)
    return { uploads, files, size }
  }

  const beginFor = (server: Parameters<typeof begin>[0], upload: Upload, size: number) =>
    begin(server, { id: upload.id, headers: { 'x-uploadtoken': upload.uploadToken ?? '' } }, { size })

  const addLate = (client: Client, { id, files: [declared], uploadToken = '' }: Upload, content = 'late') =>
    client.addFile(id, new Blob([content]), {
      fileName: declared?.fileName ?? 'late.txt',
      uploadToken,
      ...(declared !== undefined && { fileID: declared.id }),
    })

  test('an upload that stays empty blocks a request for one sender for an hour', async () => {
    const { one, other } = await twoServers()
    const { id, access } = await newRequest(one, { oneSender: true })
    const empty = await one.client.sendToUploadRequest(id, { files: [{ fileName: 'a' }] })
    one.clock.advance(hour - 1)
    expect(await codeOf(sendOne(other.client, id))).toBe('request_full')
    expect((await other.client.openUploadRequest(id)).open).toBe(false)
    one.clock.advance(1)
    expect((await other.client.openUploadRequest(id)).open).toBe(true)
    await sendOne(other.client, id)
    expect(await codeOf(addLate(one.client, empty))).toBe('place_taken')
    await one.client.removeUpload(empty.id, { uploadToken: empty.uploadToken ?? '' })
    expect(await readCounts(one.client, id, access)).toEqual({ uploads: 1, files: 1, size: 7 })
  })

  test('a sender who comes late still gets a place that is free', async () => {
    const { one, other } = await twoServers()
    const { id, access } = await newRequest(one, { oneSender: true })
    const empty = await one.client.sendToUploadRequest(id, { files: [{ fileName: 'a' }, { fileName: 'b' }] })
    one.clock.advance(hour)
    await one.clean()
    expect(await readCounts(one.client, id, access)).toEqual({ uploads: 0, files: 0, size: 0 })
    await addLate(other.client, empty)
    expect(await readCounts(one.client, id, access)).toEqual({ uploads: 1, files: 2, size: 4 })
    one.clock.advance(2 * hour)
    await one.clean()
    expect(await codeOf(sendOne(other.client, id))).toBe('request_full')
    expect(await readCounts(one.client, id, access)).toEqual({ uploads: 1, files: 2, size: 4 })
  })

  test('a new file of a late sender counts with the upload, and its removal gives everything back once', async () => {
    const { one } = await twoServers()
    const { client } = await newOwner(one)
    const { id } = await client.createUploadRequest({ title: 'two', maxFiles: 2 })
    const empty = await one.client.sendToUploadRequest(id)
    one.clock.advance(hour)
    await one.clean()
    const uploadToken = empty.uploadToken ?? ''
    await one.client.addFile(empty.id, new Blob(['']), { fileName: 'nothing', uploadToken })
    expect(await readCounts(client, id)).toEqual({ uploads: 1, files: 1, size: 0 })
    const second = await one.client.sendToUploadRequest(id, { files: [{ fileName: 'a' }] })
    expect(await codeOf(sendOne(one.client, id))).toBe('request_full')
    one.clock.advance(hour)
    await sendOne(one.client, id)
    await one.client.removeUpload(second.id, { uploadToken: second.uploadToken ?? '' })
    await one.clean()
    expect(await readCounts(client, id)).toEqual({ uploads: 2, files: 2, size: 7 })
  })

  test('a place that another instance is just releasing is free for the next sender', async () => {
    const { one, other } = await twoServers()
    for (let round = 0; round < 40; round += 1) {
      const { id, access } = await newRequest(one, { oneSender: true })
      await one.client.sendToUploadRequest(id, { files: [{ fileName: 'a' }] })
      one.clock.advance(hour)
      await Promise.all([one.clean(), sendOne(other.client, id)])
      expect(await readCounts(one.client, id, access)).toEqual({ uploads: 1, files: 1, size: 7 })
    }
  })

  test('bytes that were announced and never sent are given back, and counted when they come', async () => {
    const { cluster, one } = await twoServers()
    const { client, member } = await newOwner(one)
    const database = await cluster.connect()
    const readUsage = async () => {
      const rows = await database.query('select id, "usedSize" from users')
      return Number(rows.find((row) => row['id'] === member.id)?.['usedSize'])
    }
    const { id } = await client.createUploadRequest({ title: 'bytes', maxSize: 1_000 })
    const file = await beginFor(one, await one.client.sendToUploadRequest(id), 600)
    expect(await readCounts(client, id)).toEqual({ uploads: 1, files: 1, size: 600 })
    one.clock.advance(hour)
    await sendOne(one.client, id, 'x'.repeat(900))
    expect(await readCounts(client, id)).toEqual({ uploads: 1, files: 1, size: 900 })
    expect(await readUsage()).toBe(900)
    expect(errorIn(await patch(one, file, 0, Buffer.alloc(600)))).toEqual({
      status: 409,
      code: 'request_full',
    })
    expect(await readCounts(client, id)).toEqual({ uploads: 1, files: 1, size: 900 })
    expect(await readUsage()).toBe(900)
    const later = await client.createUploadRequest({ title: 'bytes', maxSize: 1_000 })
    const second = await beginFor(one, await one.client.sendToUploadRequest(later.id), 600)
    one.clock.advance(hour)
    await one.clean()
    expect([await readUsage(), await readCounts(client, later.id)]).toEqual([
      900,
      { uploads: 0, files: 0, size: 0 },
    ])
    expect((await patch(one, second, 0, Buffer.alloc(600))).status).toBe(204)
    expect([await readUsage(), await readCounts(client, later.id)]).toEqual([
      1_500,
      { uploads: 1, files: 1, size: 600 },
    ])
  })

  test('an upload of which bytes have arrived keeps its place', async () => {
    const { one, other } = await twoServers()
    const { id, access } = await newRequest(one, { oneSender: true })
    const file = await beginFor(one, await one.client.sendToUploadRequest(id), 600)
    await patch(one, file, 0, Buffer.alloc(100))
    one.clock.advance(hour)
    await one.clean()
    expect(await codeOf(sendOne(other.client, id))).toBe('request_full')
    expect((await patch(other, file, 100, Buffer.alloc(500))).status).toBe(204)
    expect(await readCounts(one.client, id, access)).toEqual({ uploads: 1, files: 1, size: 600 })
  })

  test('fifty senders for places that empty uploads had never exceed the limits together', async () => {
    const { one, other } = await twoServers()
    const { client } = await newOwner(one)
    const byFiles = await client.createUploadRequest({ title: 'files', maxFiles: 20 })
    const single = await client.createUploadRequest({ title: 'one', oneSender: true })
    const late: Upload[] = []
    for (let made = 0; made < 20; made++)
      late.push(await one.client.sendToUploadRequest(byFiles.id, { files: [{ fileName: 'a' }] }))
    const first = await one.client.sendToUploadRequest(single.id)
    one.clock.advance(hour)
    const race = async (send: (index: number, client: Client) => Promise<unknown>) => {
      const codes = await Promise.all(
        Array.from({ length: senders }, (_, index) =>
          codeOf(send(index, (index % 2 === 0 ? one : other).client)),
        ),
      )
      return codes.filter((code) => code === 'no error').length
    }
    const mixed = await race((index, at) => {
      const upload = late[index]
      return upload === undefined ? sendOne(at, byFiles.id, 'x') : addLate(at, upload, 'x')
    })
    expect(mixed).toBe(20)
    expect(await readCounts(client, byFiles.id)).toMatchObject({ files: 20, size: 20 })
    const alone = await race((index, at) =>
      index === 0 ? addLate(at, first, 'x') : sendOne(at, single.id, 'x'),
    )
    expect(alone).toBe(1)
    expect(await readCounts(client, single.id)).toEqual({ uploads: 1, files: 1, size: 1 })
    await one.clean()
    for (const { id, uploadToken = '' } of [...late, first])
      await one.client.removeUpload(id, { uploadToken })
    expect(await readCounts(client, byFiles.id)).toMatchObject({ files: 20, size: 20 })
    expect((await readCounts(client, single.id)).files).toBe(1)
  })

  test('the removal of a request and of its owner ends with exact counters', async () => {
    const { cluster, one } = await twoServers()
    const { client, member } = await newOwner(one)
    const { id } = await client.createUploadRequest({ title: 'a', maxFiles: 5 })
    await one.client.sendToUploadRequest(id, { files: [{ fileName: 'a' }] })
    one.clock.advance(hour)
    await one.clean()
    await client.removeUploadRequest(id)
    await call(one, 'DELETE /me', { as: member.session })
    const database = await cluster.connect()
    expect(await database.query('select id from requests')).toEqual([])
    expect(await database.query('select id from uploads where "placeUntil" is not null')).toEqual([])
  })
})
