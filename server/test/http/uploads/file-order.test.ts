import { expect, test } from 'vitest'
import { newFile } from '../../resumable/tus.ts'
import { describeCluster } from '../../support/servers/cluster.ts'

describeCluster('the order of files', (newCluster) => {
  test('is that in which they were added, also after removals', async () => {
    const server = await (await newCluster()).start()
    const { client } = server
    const { id, uploadToken = '' } = await client.createUpload({ files: [{ fileName: '0' }] })
    const add = (fileName: string, resumable: boolean) =>
      client.addFile(id, new Blob([fileName]), {
        fileName,
        uploadToken,
        ...(!resumable && { resumable: false }),
      })
    const names = async () => (await client.upload(id, { uploadToken })).files.map(({ fileName }) => fileName)
    const expected = ['0']
    for (let at = 1; at <= 24; at++) {
      const name = String(at)
      const file = await add(name, at % 2 === 0)
      if (at % 3 === 0) await client.removeFile(id, file, { uploadToken })
      expected.push(name)
    }
    const kept = (await names()).filter((name) => expected.includes(name))
    expect(kept).toEqual(expected.filter((name) => kept.includes(name)))
    expect(kept.length).toBeGreaterThan(16)
  })

  test('is one that stays when files are added at the same time', async () => {
    const cluster = await newCluster()
    const [one, other] = [await cluster.start(), await cluster.start()]
    const { target, id } = await newFile(one, { size: 3 })
    const uploadToken = target.headers['x-uploadtoken'] ?? ''
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        (at % 2 === 0 ? one : other).client.addFile(target.id, new Blob(['x']), {
          fileName: String(at),
          uploadToken,
          ...(at % 3 !== 0 && { resumable: false }),
        }),
      ),
    )
    const database = await cluster.connect()
    const rows = await database.query('select id, position from files')
    expect(rows.map(({ position }) => Number(position)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 13 }, (_, at) => at),
    )
    expect(rows.find(({ position }) => Number(position) === 0)?.['id']).toBe(id)
  })
})
