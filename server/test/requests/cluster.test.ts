import { expect, test } from 'vitest'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import { call } from '../support/servers/server-with-accounts.ts'
import { until } from '../support/until.ts'
import { codeOf, newOwner, newRequest, sendOne } from './caller.ts'

const senders = 50

describeCluster('upload requests', (newCluster) => {
  const twoServers = async () => {
    const cluster = await newCluster()
    const one = await cluster.start()
    return { cluster, one, other: await cluster.start({ clock: one.clock }) }
  }

  test('fifty senders on two instances never exceed the limits together', async () => {
    const { one, other } = await twoServers()
    const { client } = await newOwner(one)
    const byFiles = await client.createUploadRequest({ title: 'files', maxFiles: 20 })
    const bySize = await client.createUploadRequest({ title: 'bytes', maxSize: 12_345 })
    const single = await client.createUploadRequest({ title: 'one', oneSender: true })
    const race = async (id: string) => {
      const codes = await Promise.all(
        Array.from({ length: senders }, (_, index) =>
          codeOf(sendOne((index % 2 === 0 ? one : other).client, id, 'x'.repeat(1_000))),
        ),
      )
      return Map.groupBy(codes, (code) => code)
    }
    const readCounts = async (id: string) => {
      const { files, size, uploads } = await client.uploadRequest(id)
      return { files, size, uploads }
    }
    const files = await race(byFiles.id)
    expect([files.get('no error')?.length, files.get('request_full')?.length]).toEqual([20, 30])
    expect(await readCounts(byFiles.id)).toMatchObject({ files: 20, size: 20_000 })
    const bytes = await race(bySize.id)
    expect([bytes.get('no error')?.length, bytes.get('request_full')?.length]).toEqual([12, 38])
    expect(await readCounts(bySize.id)).toMatchObject({ files: 12, size: 12_000 })
    const uploads = await race(single.id)
    expect([uploads.get('no error')?.length, uploads.get('request_full')?.length]).toEqual([1, 49])
    expect(await readCounts(single.id)).toEqual({ files: 1, size: 1_000, uploads: 1 })
  })

  test('what is received counts against the quota of the owner, with or without a limit of the request', async () => {
    const { one, other } = await twoServers()
    const { client } = await newOwner(one, { maxUserSize: 2_500 })
    const { id } = await client.createUploadRequest({ title: 'small', maxSize: 100_000 })
    await sendOne(other.client, id, 'x'.repeat(1_000))
    await sendOne(one.client, id, 'x'.repeat(1_000))
    expect(await codeOf(sendOne(other.client, id, 'x'.repeat(1_000)))).toBe('quota_reached')
    expect(await client.uploadRequest(id)).toMatchObject({ files: 2, size: 2_000 })
    const { results } = await client.receivedUploads(id)
    const statuses = results.flatMap(({ files }) => files.map(({ status }) => status))
    expect(statuses.toSorted()).toEqual(['removed', 'uploaded', 'uploaded'])
  })

  test('a request that is closed in mid-upload receives what it has begun to receive', async () => {
    const { one, other } = await twoServers()
    const { id, access } = await newRequest(one)
    const upload = await one.client.sendToUploadRequest(id)
    const bytes = randomBytes(200_000)
    async function* chunks() {
      yield bytes.subarray(0, 100_000)
      await until('the file is counted', async () => (await one.client.uploadRequest(id, access)).files === 1)
      await other.client.updateUploadRequest(id, { closed: true }, access)
      yield bytes.subarray(100_000)
    }
    const form = { fileName: 'a', uploadToken: upload.uploadToken, resumable: false } as const
    await one.client.addFile(upload.id, { chunks: chunks() }, form)
    const next = other.client.addFile(upload.id, new Blob(['x']), { ...form, fileName: 'b' })
    expect(await codeOf(next)).toBe('request_closed')
    expect(await one.client.uploadRequest(id, access)).toMatchObject({
      files: 1,
      size: 200_000,
      closed: true,
    })
  })

  test('where requests are turned off, uploads that have begun still receive files, and their owner reads them', async () => {
    const cluster = await newCluster()
    const one = await cluster.start()
    const { client, member } = await newOwner(one)
    const { id } = await client.createUploadRequest({ title: 'a' })
    const begun = await one.client.sendToUploadRequest(id, { files: [{ fileName: 'declared' }] })
    const off = await cluster.start({ clock: one.clock, features: { feature_requests: 'disabled' } })
    const form = { uploadToken: begun.uploadToken, resumable: false } as const
    const fileID = begun.files[0]?.id ?? ''
    await off.client.addFile(begun.id, new Blob(['x']), { ...form, fileName: 'declared', fileID })
    await off.client.addFile(begun.id, new Blob(['y']), { ...form, fileName: 'more' })
    await off.client.addFile(begun.id, new Blob(['z']), {
      uploadToken: begun.uploadToken,
      fileName: 'in parts',
    })
    const listed = await call(off, 'GET /me/uploads', { as: member.session })
    expect(listed.text).toContain(begun.id)
    expect((await off.client.upload(begun.id, { uploadToken: begun.uploadToken })).files).toHaveLength(3)
    for (const refused of [
      () => off.client.sendToUploadRequest(id),
      () => off.client.openUploadRequest(id),
      () => off.client.createUploadRequest({ title: 'b' }),
    ])
      expect(await codeOf(refused())).toBe('feature_disabled')
    expect(await client.uploadRequest(id)).toMatchObject({ uploads: 1, files: 3, size: 3 })
  })

  test('a deleted account leaves no request behind, also in mid-upload', async () => {
    const { cluster, one, other } = await twoServers()
    const { client, member } = await newOwner(one)
    const { id } = await client.createUploadRequest({ title: 'a' })
    await sendOne(other.client, id)
    const upload = await one.client.sendToUploadRequest(id)
    const bytes = randomBytes(200_000)
    async function* chunks() {
      yield bytes.subarray(0, 100_000)
      await until('the file is counted', async () => (await client.uploadRequest(id)).files === 2)
      await call(other, 'DELETE /me', { as: member.session })
      yield bytes.subarray(100_000)
    }
    const form = { fileName: 'a', uploadToken: upload.uploadToken, resumable: false } as const
    expect(await codeOf(one.client.addFile(upload.id, { chunks: chunks() }, form))).toBe('file_not_found')
    expect(await codeOf(one.client.openUploadRequest(id))).toBe('request_not_found')
    expect(await codeOf(other.client.sendToUploadRequest(id))).toBe('request_not_found')
    const database = await cluster.connect()
    expect(await database.query('select id from requests')).toEqual([])
  })
})
