import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileStatuses, type FileStatus } from '@svc/contract'
import { canTransition } from '../../../src/domain/files/file-status.ts'
import type { FileRecord } from '../../../src/domain/records.ts'
import type { OpenMetadataStore } from '../../../src/metadata/store.ts'
import { fileRecord, uploadRecord } from '../../support/databases/records.ts'
import { accountsSuite } from './accounts.ts'
import { announcedSuite } from './announced-bytes.ts'
import { attemptsSuite } from './attempts.ts'
import { budgetsSuite } from './budgets.ts'
import { dailySuite } from './daily-stats.ts'
import { aliasesSuite } from './aliases.ts'
import { downloadsSuite } from './downloads.ts'
import { outboxSuite } from './outbox.ts'
import { pagingSuite } from './paging.ts'
import { removalsSuite } from './removals.ts'
import { requestsSuite } from './requests.ts'
import { searchSuite } from './search.ts'
import { subscriptionsSuite } from './subscriptions.ts'
import { totalsSuite } from './counters.ts'

/** The contract of every database; `open` returns a new empty one. */
export function metadataStoreSuite(database: string, open: () => Promise<OpenMetadataStore>): void {
  describe(`metadata in ${database}`, () => {
    let store: OpenMetadataStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    for (const suite of [
      accountsSuite,
      announcedSuite,
      attemptsSuite,
      budgetsSuite,
      dailySuite,
      aliasesSuite,
      downloadsSuite,
      outboxSuite,
      pagingSuite,
      removalsSuite,
      requestsSuite,
      searchSuite,
      subscriptionsSuite,
      totalsSuite,
    ])
      suite(() => store)

    const insertUpload = async (fields = {}) => {
      const upload = uploadRecord()
      const file = fileRecord(upload, fields)
      await store.uploads.insert(upload)
      await store.files.insert(file)
      return file
    }
    const statusOf = async ({ uploadId, id }: { uploadId: string; id: string }) =>
      (await store.files.find(uploadId, id))?.status
    const heartbeat = (id: string, seenAt: number) =>
      store.instances.recordHeartbeat({ id, url: '', process: '', seenAt })

    test('records are stored unchanged', async () => {
      const upload = uploadRecord({
        login: 'lögin',
        passwordHash: '$argon2id$…',
        comments: '# 🗿',
        expireAt: null,
      })
      const files = [
        fileRecord(upload, { position: 1, fileSize: Number.MAX_SAFE_INTEGER, fileName: 'é'.repeat(1024) }),
        fileRecord(upload, { position: 0, reference: 'r', status: 'missing', uploadedAt: null }),
      ]
      await store.transaction(async (transaction) => {
        await transaction.uploads.insert(upload)
        for (const file of files) await transaction.files.insert(file)
      })
      expect(await store.uploads.find(upload.id)).toEqual(upload)
      expect(await store.files.list(upload.id)).toEqual([files[1], files[0]])
      expect(await store.files.first(upload.id)).toEqual([files[1], files[0]])
      const ids = await store.files.ids(upload.id)
      expect(ids).toEqual([files[1]?.id, files[0]?.id])
      expect(await store.files.listByIds(upload.id, ids.toReversed())).toEqual([files[1], files[0]])
      expect(await store.files.listByIds(upload.id, ids.slice(1))).toEqual([files[0]])
    })

    test('the stored files with a name have exactly this name', async () => {
      const upload = uploadRecord()
      const names = ['a.txt', 'A.txt', 'a.txt ', 'á.txt', 'a.txt', 'a.txt']
      const files = names.map((fileName, index) =>
        fileRecord(upload, {
          position: names.length - index,
          fileName,
          status: index === 0 ? 'removed' : 'uploaded',
        }),
      )
      await store.transaction(async (transaction) => {
        await transaction.uploads.insert(upload)
        for (const file of files) await transaction.files.insert(file)
      })
      expect(await store.files.findNamed(upload.id, 'a.txt')).toEqual([files[5], files[4]])
    })

    test('a failed transaction leaves nothing behind', async () => {
      const upload = uploadRecord()
      const failing = store.transaction(async (transaction) => {
        await transaction.uploads.insert(upload)
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await store.uploads.find(upload.id)).toBeUndefined()
    })

    test('parallel transactions are atomic', async () => {
      const uploads = Array.from({ length: 20 }, () => uploadRecord())
      const works = uploads.map((upload, index) =>
        store.transaction(async (transaction) => {
          await transaction.uploads.insert(upload)
          await transaction.files.insert(fileRecord(upload))
          if (index % 3 === 0) throw new Error('changed my mind')
          return index
        }),
      )
      const ended = await Promise.allSettled(works)
      const preserved = uploads.map((_, index) => index).filter((index) => index % 3 !== 0)
      expect(ended.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))).toEqual(
        preserved,
      )
      const found = await Promise.all(uploads.map(({ id }) => store.files.list(id)))
      expect(found.map((files) => files.length)).toEqual(uploads.map((_, index) => (index % 3 === 0 ? 0 : 1)))
      expect(await store.uploads.find(uploads[1]?.id ?? '')).toEqual(uploads[1])
    })

    test('a file of another upload is not found', async () => {
      const file = await insertUpload()
      const other = uploadRecord()
      await store.uploads.insert(other)
      expect(await store.files.find(other.id, file.id)).toBeUndefined()
    })

    const changes: readonly (readonly [string, FileStatus, (file: FileRecord) => Promise<unknown>])[] = [
      ['receive', 'uploading', (file) => store.files.startUpload(file, 'me')],
      ['store', 'uploaded', (file) => store.files.store(file, 'me', stored)],
      ['remove', 'removed', (file) => store.files.remove(file)],
      ['erase', 'deleted', ({ id }) => store.files.markDeleted([id]).then((count) => count > 0)],
    ]
    const stored = { fileSize: 7, type: 'image/png', md5: 'm', crc32: 9, uploadedAt: 5 }

    test.each(
      changes.flatMap(([name, to, change]) => fileStatuses.map((from) => ({ name, from, to, change }))),
    )('$name: $from → $to happens only where the state machine allows it', async ({ from, to, change }) => {
      const file = await insertUpload({ status: from, instance: 'me' })
      // Only `receive` leads to uploading, and only `store` to uploaded.
      const allowed = canTransition(from, to)
      expect(await change(file)).toBe(allowed)
      expect(await statusOf(file)).toBe(allowed ? to : from)
    })

    test('only the instance that receives a file can store it', async () => {
      const file = await insertUpload({ status: 'uploading', instance: 'another' })
      expect(await store.files.store(file, 'me', stored)).toBe(false)
      expect(await store.files.store(file, 'another', stored)).toBe(true)
      expect(await store.files.find(file.uploadId, file.id)).toMatchObject({
        ...stored,
        status: 'uploaded',
        instance: null,
      })
    })

    test('of parallel claims exactly one succeeds', async () => {
      const file = await insertUpload()
      const claims = Array.from({ length: 50 }, (_, n) => store.files.claim(file, `claim${String(n)}`, 0, 90))
      expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1)
    })

    test('a claim expires at the end of its lease, not before, and its old holder can do nothing', async () => {
      const file = await insertUpload()
      expect(await store.files.claim(file, 'first', 0, 90)).toBe(true)
      expect(await store.files.claim(file, 'second', 89, 179)).toBe(false)
      expect(await store.files.renewClaim(file, 'first', 100)).toBe(true)
      expect(await store.files.claim(file, 'second', 99, 189)).toBe(false)
      expect(await store.files.claim(file, 'second', 100, 190)).toBe(true)
      expect(await store.files.renewClaim(file, 'first', 500)).toBe(false)
      expect(await store.files.consume(file, 'first')).toBe(false)
      await store.files.releaseClaim(file, 'first', 1)
      expect(await statusOf(file)).toBe('uploaded')
      expect(await store.files.consume(file, 'second')).toBe(true)
      expect(await statusOf(file)).toBe('removed')
    })

    test('a sealed claim that expires is never free again: it is listed for the file to be consumed', async () => {
      const file = await insertUpload()
      const listed = async (now: number) =>
        (await store.files.expiredSealedClaims(now, 1_000)).map(({ id }) => id)
      expect(await store.files.claim(file, 'first', 0, 90)).toBe(true)
      expect(await store.files.sealClaim(file, 'second', 100)).toBe(false)
      expect(await store.files.sealClaim(file, 'first', 100)).toBe(true)
      expect(await store.files.claim(file, 'second', 100, 190)).toBe(false)
      expect(await listed(99)).not.toContain(file.id)
      expect(await listed(100)).toContain(file.id)
      expect(await store.files.consume(file, 'first')).toBe(true)
      expect(await listed(100)).not.toContain(file.id)
    })

    test('a sealed claim that is released leaves the file to the next download', async () => {
      const file = await insertUpload()
      expect(await store.files.claim(file, 'first', 0, 90)).toBe(true)
      expect(await store.files.sealClaim(file, 'first', 100)).toBe(true)
      await store.files.releaseClaim(file, 'first', 0)
      expect(await store.files.claim(file, 'second', 1, 91)).toBe(true)
      expect((await store.files.expiredSealedClaims(1_000, 1_000)).map(({ id }) => id)).not.toContain(file.id)
    })

    test('broken downloads are counted beyond a threshold', async () => {
      const file = await insertUpload()
      for (const counts of [1, 0, 1] as const) {
        expect(await store.files.claim(file, 'c', 0, 90)).toBe(true)
        await store.files.releaseClaim(file, 'c', counts)
      }
      expect((await store.files.find(file.uploadId, file.id))?.brokenDownloads).toBe(2)
    })

    test('parallel requests never exceed the maximum number of files of an upload', async () => {
      const upload = uploadRecord()
      await store.uploads.insert(upload)
      const places = await Promise.all(
        Array.from({ length: 20 }, () => store.uploads.countFile(upload.id, 7)),
      )
      expect(places.filter(Boolean)).toHaveLength(7)
      await store.uploads.uncountFile(upload.id)
      expect([
        await store.uploads.countFile(upload.id, 7),
        await store.uploads.countFile(upload.id, 7),
      ]).toEqual([true, false])
    })

    test('an upload ends at its expiry, and accepts no file once it is removed', async () => {
      const upload = uploadRecord({ expireAt: 5_000 })
      await store.uploads.insert(upload)
      const findExpired = async (now: number) => (await store.uploads.expired(now, 1_000)).map(({ id }) => id)
      expect(await findExpired(4_999)).not.toContain(upload.id)
      expect(await findExpired(5_000)).toContain(upload.id)
      await store.uploads.extend(upload.id, 9_000)
      await store.uploads.extend(upload.id, 8_000)
      expect((await store.uploads.find(upload.id))?.expireAt).toBe(9_000)
      expect(await findExpired(5_000)).not.toContain(upload.id)
      await store.uploads.remove(upload.id, 1)
      expect(await findExpired(10_000)).not.toContain(upload.id)
      expect(await store.uploads.countFile(upload.id, 1_000)).toBe(false)
    })

    test('files of dead instances are abandoned, those of live ones are not, and an instance may return', async () => {
      await heartbeat('dead', 1_000)
      await heartbeat('alive', 1_000)
      await heartbeat('alive', 2_000)
      const insertFor = (instance: string, status: FileStatus = 'uploading') =>
        insertUpload({ status, instance })
      const [lost, preserved, back] = [
        await insertFor('dead'),
        await insertFor('alive'),
        await insertFor('dead'),
      ]
      const others = { aliveSince: 1_500, exceptInstance: 'me' }
      const abandoned = (await store.files.findAbandoned('uploading', others, '', 1_000)).map(({ id }) => id)
      expect([lost, preserved, back].map(({ id }) => abandoned.includes(id))).toEqual([true, false, true])
      expect(await store.files.endAbandoned(lost, others, 'removed')).toBe(true)
      await heartbeat('dead', 1_501)
      expect(await store.files.endAbandoned(back, others, 'removed')).toBe(false)
      expect(await store.files.store(back, 'dead', stored)).toBe(true)
      expect(await store.files.endAbandoned(back, { ...others, aliveSince: 9_000 }, 'removed')).toBe(false)
      expect(await Promise.all([lost, preserved, back].map(statusOf))).toEqual([
        'removed',
        'uploading',
        'uploaded',
      ])
    })

    test('a file that a live instance may still write is deleted only after its release', async () => {
      await heartbeat('writer', 5_000)
      const file = await insertUpload({ status: 'removed', instance: 'writer' })
      const unheld = async (but: string) =>
        (
          await store.files.findAbandoned('removed', { aliveSince: 4_000, exceptInstance: but }, '', 1_000)
        ).some(({ id }) => id === file.id)
      expect([await unheld('another'), await unheld('writer')]).toEqual([false, true])
      await store.files.clearInstance(file)
      expect(await unheld('another')).toBe(true)
    })
  })
}
