import { expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'
import { call, newMember, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'
import { createUserToken } from '../support/clients/accounts.ts'
import { createClient } from '@svc/sdk'
import { getPreview, jpeg, png, putPreview, webp, storeLarge } from './images.ts'

/** Every value of a byte, also those that a text could not hold. */
const allBytes = (): Uint8Array<ArrayBuffer> => {
  const image = webp(32_768)
  for (let at = 60; at < image.length; at += 1) image[at] = at & 255
  return image
}

/** The ids of the files that have a row. */
const previewed = async (cluster: Cluster): Promise<unknown[]> => {
  const database = await cluster.connect()
  const rows = await database.query('select "fileId" from previews order by "fileId"')
  return rows.map((row) => Reflect.get(row as object, 'fileId') as unknown)
}

describeCluster('previews', (newCluster) => {
  const pairOf = async () => {
    const cluster = await newCluster()
    const clock = manualClock()
    const pair = [await cluster.start({ clock }), await cluster.start({ clock })] as const
    return { cluster, clock, pair }
  }
  /** Cleans up twice: the second time finds what the first has made due. */
  const clean = async (server: ServerWithAccounts) => {
    await server.clean()
    await server.clean()
  }

  test('that one server stores are sent by the other, unchanged', async () => {
    const { pair } = await pairOf()
    const stored = await storeLarge(pair[0])
    expect((await putPreview(pair[0], stored, allBytes())).status).toBe(204)
    expect(Buffer.compare((await getPreview(pair[1], stored)).body, allBytes())).toBe(0)
  })

  test('race on two servers, and one is stored', async () => {
    const { cluster, pair } = await pairOf()
    for (let round = 0; round < 5; round += 1) {
      const stored = await storeLarge(pair[0])
      const images = [webp(), jpeg, png, webp(90)]
      const responses = await Promise.all(
        images.map((image, index) => putPreview(pair[index % 2 === 0 ? 0 : 1], stored, image)),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409])
      const winner = images[responses.findIndex(({ status }) => status === 204)] ?? webp()
      for (const server of pair)
        expect(Buffer.compare((await getPreview(server, stored)).body, winner)).toBe(0)
    }
    expect(await previewed(cluster)).toHaveLength(5)
  })

  test('are deleted with their file, their upload, its end, and its owner', async () => {
    const { cluster, clock, pair } = await pairOf()
    const [server] = pair
    const member = await newMember(server)
    const owner = createClient({
      baseURL: server.url,
      userToken: await createUserToken(server, member.session),
    })
    const [kept, file, upload, expiring, owned] = [
      await storeLarge(server, 'kept', { ttl: 86_400 }),
      await storeLarge(server, 'file', { ttl: 86_400 }),
      await storeLarge(server),
      await storeLarge(server, 'expiring', { ttl: 60 }),
      await storeLarge({ client: owner }),
    ]
    const all = [kept, file, upload, expiring, owned]
    for (const stored of all) expect((await putPreview(server, stored)).status).toBe(204)
    expect(await previewed(cluster)).toHaveLength(5)
    const { uploadToken } = file
    await server.client.removeFile(file.upload.id, file.file, { uploadToken })
    await server.client.removeUpload(upload.upload.id, { uploadToken: upload.uploadToken })
    await call(server, 'DELETE /me', { as: member.session })
    clock.advance(61_000)
    await clean(server)
    expect(await previewed(cluster)).toEqual([kept.file.id])
    expect((await getPreview(server, kept)).status).toBe(200)
    for (const gone of [file, upload, expiring, owned])
      expect((await getPreview(server, gone)).status).toBe(404)
  })

  test('that arrive while their upload is removed leave nothing behind', async () => {
    const { cluster, pair } = await pairOf()
    for (let round = 0; round < 5; round += 1) {
      const stored = await storeLarge(pair[0])
      const { uploadToken } = stored
      const [added] = await Promise.all([
        putPreview(pair[1], stored, allBytes()),
        sendRequest(pair[0].url, `/upload/${stored.upload.id}`, {
          method: 'DELETE',
          headers: { 'x-uploadtoken': uploadToken },
        }),
      ])
      expect([204, 404]).toContain(added.status)
    }
    await clean(pair[0])
    expect(await previewed(cluster)).toEqual([])
  })
})
