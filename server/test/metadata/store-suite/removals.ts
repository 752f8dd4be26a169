import { expect, test } from 'vitest'
import { recordBatchRemoved } from '../../../src/core/removal/remove-batch.ts'
import type { MetadataStore } from '../../../src/metadata/store.ts'
import { fileRecord, uploadRecord } from '../../support/databases/records.ts'
import { userRecord } from '../../support/databases/user-records.ts'

const page = { limit: 20, order: 'desc' as const }

/** The requirements of mass removals and retention for every database. */
export function removalsSuite(store: () => MetadataStore): void {
  const owned = async (count: number, generation = 0) => {
    const user = userRecord()
    await store().users.insert(user)
    const uploads = Array.from({ length: count }, () =>
      uploadRecord({ userId: user.id, generation, expireAt: 9_000_000, fileCount: 1 }),
    )
    for (const upload of uploads) {
      await store().uploads.insert(upload)
      await store().files.insert(fileRecord(upload))
    }
    return { user, uploads, ids: uploads.map(({ id }) => id) }
  }
  const mark = (userId: string, now = 5_000) =>
    store().transaction((transaction) => transaction.removals.mark(userId, now))
  const removalOf = async (userId: string) =>
    (await store().removals.list()).find((removal) => removal.userId === userId)
  const idsOnPage = async (userId: string) => {
    const { results, total } = await store().uploads.page({ userId }, 'createdAt', page, 0)
    return { ids: results.map(({ id }) => id), total }
  }

  test('a mass removal hides all uploads of its user at once, and no others', async () => {
    const [mine, others] = [await owned(3), await owned(1)]
    await mark(mine.user.id)
    for (const id of mine.ids) {
      expect((await store().uploads.find(id))?.deletedAt).toBe(5_000)
      expect((await store().uploads.findOwner(id)).deletedAt).toBe(5_000)
      expect(await store().uploads.countFile(id, 1_000)).toBe(false)
    }
    expect(await idsOnPage(mine.user.id)).toEqual({ ids: [], total: 0 })
    expect(await store().uploads.find(others.ids[0] ?? '')).toEqual(others.uploads[0])
    expect(await idsOnPage(others.user.id)).toEqual({ ids: others.ids, total: 1 })
  })

  test('an upload that is created after a mass removal stays', async () => {
    const { user } = await owned(1)
    await mark(user.id)
    const generation = (await store().users.find(user.id))?.generation
    expect(generation).toBe(1)
    const later = uploadRecord({ userId: user.id, generation: 1, expireAt: null })
    await store().uploads.insert(later)
    expect(await store().uploads.find(later.id)).toEqual(later)
    expect(await idsOnPage(user.id)).toEqual({ ids: [later.id], total: 1 })
    expect((await store().uploadBatches.ofGenerations(user.id, 1, 10)).map(({ id }) => id)).not.toContain(
      later.id,
    )
  })

  test('a mass removal that is requested again does not end with the first', async () => {
    const { user } = await owned(1)
    await mark(user.id)
    const first = await removalOf(user.id)
    await mark(user.id, 6_000)
    expect(first).toMatchObject({ userId: user.id, generation: 1, requestedAt: 5_000 })
    expect(await store().removals.finish(first ?? { userId: '', generation: 0 })).toBe(false)
    const second = await removalOf(user.id)
    expect(second?.generation).toBe(2)
    expect(await store().removals.finish(second ?? { userId: '', generation: 0 })).toBe(true)
    expect(await removalOf(user.id)).toBeUndefined()
  })

  test('a retired account is not found, and a new one takes its row over', async () => {
    const user = userRecord({
      name: 'Zoë',
      email: 'zoe@svc.example',
      passwordHash: '$argon2id$',
      usedSize: 7,
    })
    await store().users.insert(user)
    expect(await store().users.replaceWithTombstone(user.id, 5_000)).toBe(true)
    expect(await store().users.replaceWithTombstone(user.id, 5_000)).toBe(false)
    expect(await store().users.find(user.id)).toBeUndefined()
    expect(await store().users.update(user.id, { name: 'back' })).toBe(false)
    expect((await store().users.search(user.login, {}, 10)).map(({ id }) => id)).not.toContain(user.id)
    expect(await store().users.isTombstone(user.id)).toBe(true)
    const successor = userRecord({ id: user.id, login: user.login, name: 'new' })
    await store().users.insert(successor)
    expect(await store().users.find(user.id)).toEqual({ ...successor, usedSize: 7 })
    await store().users.removeTombstone(user.id)
    expect((await store().users.find(user.id))?.name).toBe('new')
  })

  test('a batch blanks the files of the uploads that it removes', async () => {
    const upload = uploadRecord({ fileCount: 1 })
    await store().uploads.insert(upload)
    await store().files.insert(fileRecord(upload, { fileName: 'secret.txt', reference: 'r' }))
    await store().transaction((transaction) =>
      recordBatchRemoved(transaction, { ids: [upload.id], now: 5_000 }),
    )
    const [file] = await store().files.list(upload.id)
    expect(file).toMatchObject({ status: 'removed', fileName: '', md5: '', reference: null, type: '' })
  })

  test('an upload is blanked once its bytes are deleted, and purged afterwards', async () => {
    const upload = uploadRecord({
      login: 'login',
      passwordHash: '$argon2id$',
      comments: 'secret plans',
      userToken: 'svct_x',
      deletedAt: 1,
    })
    const file = fileRecord(upload, { status: 'removed', reference: 'ref' })
    await store().uploads.insert(upload)
    await store().files.insert(file)
    const findUnblanked = async () =>
      (await store().uploadBatches.findUnblanked(undefined, 1_000)).find(({ id }) => id === upload.id)
    expect(await findUnblanked()).toEqual({ id: upload.id, fileCount: 0, deletedAt: 1, hasBytes: true })
    expect(await store().files.markDeleted([file.id])).toBe(1)
    const [deleted] = await store().files.list(upload.id)
    const { fileName, fileSize, reference } = file
    // A list shows the file while its upload lives, and nothing that describes its content.
    expect(deleted).toMatchObject({ fileName, fileSize, reference, md5: '', crc32: 0, type: '' })
    expect(await findUnblanked()).toMatchObject({ hasBytes: false })
    expect(await store().uploadBatches.blank([upload.id], 100)).toBe(1)
    expect(await store().uploadBatches.blank([upload.id], 200)).toBe(0)
    expect(await findUnblanked()).toBeUndefined()
    expect(await store().uploads.find(upload.id)).toMatchObject({
      login: null,
      passwordHash: null,
      comments: '',
      address: '',
      userId: null,
      userToken: null,
      tokenHash: '',
      erasedAt: 100,
    })
    const [blank] = await store().files.list(upload.id)
    expect(blank).toMatchObject({ fileName: '', md5: '', crc32: 0, reference: null, type: '' })
    const purgeable = async (until: number) =>
      (await store().uploadBatches.purgeable(until, 1_000)).map(({ id }) => id)
    expect(await purgeable(99)).not.toContain(upload.id)
    expect(await purgeable(100)).toContain(upload.id)
    expect(await store().uploadBatches.purge([upload.id])).toBe(1)
    expect(await store().uploads.find(upload.id)).toBeUndefined()
    expect(await store().files.list(upload.id)).toEqual([])
  })

  test('a traversal of removed uploads visits each once, even with equal removal times', async () => {
    const uploads = Array.from({ length: 7 }, () => uploadRecord({ deletedAt: 77 }))
    for (const upload of uploads) await store().uploads.insert(upload)
    const seen: string[] = []
    let last: Awaited<ReturnType<MetadataStore['uploadBatches']['findUnblanked']>>[number] | undefined
    do {
      const nextPage = await store().uploadBatches.findUnblanked(last, 2)
      seen.push(...nextPage.map(({ id }) => id))
      last = nextPage.at(-1)
    } while (last !== undefined)
    expect(seen).toEqual([...new Set(seen)])
    expect(seen).toEqual(expect.arrayContaining(uploads.map(({ id }) => id)))
  })
}
