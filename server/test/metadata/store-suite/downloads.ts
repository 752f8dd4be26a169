import { expect, test } from 'vitest'
import type { DownloadRecord } from '../../../src/domain/records.ts'
import type { MetadataStore } from '../../../src/metadata/store.ts'
import { uploadRecord } from '../../support/databases/records.ts'

let made = 0

/** The newest downloads of each upload. */
export function downloadsSuite(store: () => MetadataStore): void {
  const newUpload = async (fields = {}) => {
    const upload = uploadRecord(fields)
    await store().uploads.insert(upload)
    return upload.id
  }
  const download = (uploadId: string, endedAt: number): DownloadRecord => ({
    uploadId,
    endedAt,
    id: String((made += 1)).padStart(16, '0'),
    fileId: 'f',
    bytes: Number.MAX_SAFE_INTEGER,
    result: 'whole',
    client: 'browser',
    address: '2001:db8::1',
  })
  const timesOf = async (uploadId: string) => {
    const { results } = await store().downloads.page(uploadId, { limit: 500, order: 'asc' })
    return results.map(({ endedAt }) => endedAt)
  }

  test('downloads are stored unchanged, those of an archive without a file', async () => {
    const uploadId = await newUpload()
    const rows = [download(uploadId, 1), { ...download(uploadId, 2), fileId: null, address: null }]
    await store().downloads.add(rows)
    expect((await store().downloads.page(uploadId, { limit: 10, order: 'asc' })).results).toEqual(rows)
  })

  test('downloads of removed and of unknown uploads are not stored', async () => {
    const removed = await newUpload({ deletedAt: 1 })
    await store().downloads.add([download(removed, 1), download('unknown', 1)])
    expect([await timesOf(removed), await timesOf('unknown')]).toEqual([[], []])
  })

  test('an upload keeps its newest downloads, also of one moment', async () => {
    const [many, same, few] = [await newUpload(), await newUpload(), await newUpload()]
    const rows = Array.from({ length: 150 }, (_, index) => [download(many, index), download(same, 5)]).flat()
    await store().downloads.add([...rows, download(few, 1)])
    await store().downloads.trim([...rows, download(few, 1)], 100)
    expect(await timesOf(many)).toEqual(Array.from({ length: 100 }, (_, index) => 50 + index))
    expect(await timesOf(same)).toHaveLength(100)
    expect(await timesOf(few)).toEqual([1])
  })

  test('a blanked upload has no downloads left', async () => {
    const [blanked, other] = [await newUpload(), await newUpload()]
    await store().downloads.add([download(blanked, 1), download(other, 1)])
    await store().uploadBatches.blank([blanked], 2)
    expect([await timesOf(blanked), await timesOf(other)]).toEqual([[], [1]])
  })
}
