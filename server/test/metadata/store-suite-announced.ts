import { describe, expect, test } from 'vitest'
import type { FileRecord, ResumableRecord } from '../../src/domain/records.ts'
import type { OpenMetadataStore } from '../../src/metadata/store.ts'
import { fileRecord, uploadRecord } from '../support/records.ts'

export function announcedSuite(store: () => OpenMetadataStore): void {
  describe('announced bytes', () => {
    const coming = async (
      file: Partial<FileRecord>,
      resumable: Partial<ResumableRecord> | null,
      stream: 0 | 1 = 0,
    ) => {
      const upload = uploadRecord({ stream })
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
    const announced = () =>
      store().resumables.pendingBytes({ exceptInstance: 'me', createdSince: 5_000, expireSince: 9_000 })

    test('those of files in pieces that move, and of what others receive', async () => {
      const before = await announced()
      await coming({ createdAt: 6_000 }, { received: 300 })
      await coming({}, { expireAt: 10_000, size: 2_000, received: 1_999 })
      await coming({ instance: 'other', fileSize: 50_000 }, null)
      expect((await announced()) - before).toBe(700 + 1 + 50_000)
    })

    test('nothing of what stands still, has no size, is mine, a stream, or over', async () => {
      const before = await announced()
      await coming({ createdAt: 5_000 }, { expireAt: 9_000 })
      await coming({ createdAt: 6_000 }, { size: null })
      await coming({ instance: 'me', fileSize: 50_000 }, null)
      await coming({ instance: 'other', fileSize: 50_000 }, null, 1)
      await coming({ instance: 'other', fileSize: 50_000, status: 'removed' }, null)
      await coming({ createdAt: 6_000, status: 'removed' }, {})
      expect(await announced()).toBe(before)
    })
  })
}
