import { describe, expect, test } from 'vitest'
import type { FileRecord, ResumableRecord, UploadRecord } from '../../../src/domain/records.ts'
import type { OpenMetadataStore } from '../../../src/metadata/store.ts'
import { userRecord } from '../../support/databases/user-records.ts'
import { fileRecord, uploadRecord } from '../../support/databases/records.ts'

export function announcedSuite(store: () => OpenMetadataStore): void {
  describe('announced bytes', () => {
    const coming = async (
      file: Partial<FileRecord>,
      resumable: Partial<ResumableRecord> | null,
      options: Partial<UploadRecord> = {},
    ) => {
      const upload = uploadRecord(options)
      const record = fileRecord(upload, { status: 'uploading', uploadedAt: null, createdAt: 0, ...file })
      await store().uploads.insert(upload)
      await store().files.insert(record)
      if (resumable === null) return
      await store().resumables.insert({
        fileId: record.id,
        uploadId: upload.id,
        size: 1_000,
        received: 0,
        session: '',
        type: '',
        writer: null,
        successor: null,
        expireAt: 0,
        ...resumable,
      })
    }
    const pending = () =>
      store().resumables.pendingBytes({
        exceptInstance: 'me',
        announcedSince: 7_000,
        progressSince: 5_000,
        expireAfter: 4_000,
      })
    const sumAnnounced = async () => (await pending()).reduce((sum, { bytes }) => sum + bytes, 0)

    test('include active resumable uploads, and those of other instances', async () => {
      const before = await sumAnnounced()
      await coming({ createdAt: 6_000 }, { received: 300 })
      await coming({}, { expireAt: 10_000, size: 2_000, received: 1_999 })
      await coming({ instance: 'other', fileSize: 50_000 }, null)
      await coming({ createdAt: 7_001 }, {})
      expect((await sumAnnounced()) - before).toBe(700 + 1 + 50_000 + 1_000)
    })

    test('of each user and each address', async () => {
      const user = userRecord()
      await store().users.insert(user)
      const owned = { userId: user.id, address: '192.0.2.1' }
      const anonymous = { userId: null, address: '192.0.2.77' }
      await coming({ createdAt: 8_000 }, { size: 30 }, owned)
      await coming({ instance: 'other', fileSize: 4 }, null, owned)
      await coming({ createdAt: 8_000 }, { size: 500 }, anonymous)
      await coming({ createdAt: 8_000 }, { size: 200 }, anonymous)
      const sums = Map.groupBy(await pending(), ({ userId, address }) => `${userId ?? ''} ${address}`)
      const sumOf = (key: string) => sums.get(key)?.reduce((sum, { bytes }) => sum + bytes, 0)
      expect([sumOf(`${user.id} 192.0.2.1`), sumOf(' 192.0.2.77')]).toEqual([34, 700])
    })

    test('exclude uploads that are stalled, of unknown size, of this instance, streams, or expired', async () => {
      const before = await sumAnnounced()
      await coming({ createdAt: 5_000 }, { expireAt: 9_000, received: 1 })
      await coming({ createdAt: 7_000 }, { expireAt: 11_000 })
      await coming({ createdAt: 6_000 }, { size: null })
      await coming({ instance: 'me', fileSize: 50_000 }, null)
      await coming({ instance: 'other', fileSize: 50_000 }, null, { stream: 1 })
      await coming({ instance: 'other', fileSize: 50_000, status: 'removed' }, null)
      await coming({ createdAt: 6_000, status: 'removed' }, {})
      expect(await sumAnnounced()).toBe(before)
    })
  })
}
