import { limits } from '@svc/contract'
import { expect, test } from 'vitest'
import type { RequestRecord } from '../../../src/domain/records.ts'
import type { MetadataStore } from '../../../src/metadata/store.ts'
import { requestRecord, uploadRecord } from '../../support/databases/records.ts'
import { userRecord } from '../../commands/records.ts'

const now = 5_000

/** Upload requests: their limits are conditions of the updates that count. */
export function requestsSuite(store: () => MetadataStore): void {
  const newRequest = async (fields: Partial<RequestRecord> = {}) => {
    const request = requestRecord(fields)
    await store().requests.insert(request)
    return request.id
  }
  const usageOf = async (id: string) => {
    const found = await store().requests.find(id)
    return found && { uploads: found.uploads, files: found.files, size: found.size }
  }

  test('a request is stored unchanged, with the longest private keys', async () => {
    const wrappedIdentity = 'x'.repeat(limits.wrappedIdentityLength)
    const request = requestRecord({
      title: 'Fotos 🗿',
      message: '# é\n',
      extensions: 'pdf tar.gz',
      recipient: `age1${'q'.repeat(4_000)}`,
      wrappedIdentity,
      passkeyIdentities: JSON.stringify(
        Array.from({ length: limits.passkeysPerRequest }, () => ({
          credential: 'x'.repeat(limits.credentialIdLength),
          wrappedIdentity,
        })),
      ),
      maxSize: Number.MAX_SAFE_INTEGER,
      size: Number.MAX_SAFE_INTEGER,
      expireAt: null,
      closedAt: 7,
      passwordHash: '$argon2id$…',
    })
    await store().requests.insert(request)
    expect(await store().requests.find(request.id)).toEqual(request)
  })

  test.each<readonly [string, Partial<RequestRecord>, boolean]>([
    ['an open request', {}, true],
    ['one without an end', { expireAt: null }, true],
    ['a closed one', { closedAt: 1 }, false],
    ['an expired one', { expireAt: now }, false],
    ['a removed one', { removedAt: 1 }, false],
    ['one with room for one file', { maxFiles: 3, files: 2 }, false],
    ['one with room for two files', { maxFiles: 3, files: 1 }, true],
    ['one for a single sender', { oneSender: 1 }, true],
    ['one whose single sender has come', { oneSender: 1, uploads: 1 }, false],
  ])('%s counts an upload with two files: %j %s', async (_name, fields, expected) => {
    const id = await newRequest(fields)
    const before = await usageOf(id)
    expect(await store().requests.reserveUpload(id, 2, now)).toBe(expected)
    const { uploads = 0, files = 0 } = fields
    if (before !== undefined)
      expect(await usageOf(id)).toEqual(
        expected ? { uploads: uploads + 1, files: files + 2, size: 0 } : before,
      )
  })

  test('files and bytes are counted up to their limits, and given back', async () => {
    const id = await newRequest({ maxFiles: 1, maxSize: 10 })
    const { requests } = store()
    expect([await requests.reserveFile(id, now), await requests.reserveFile(id, now)]).toEqual([true, false])
    expect([await requests.reserveSize(id, 10), await requests.reserveSize(id, 1)]).toEqual([true, false])
    await requests.addUsage(id, { files: -1, size: -4 })
    expect([await requests.reserveSize(id, 5), await requests.reserveSize(id, 4)]).toEqual([false, true])
    expect(await usageOf(id)).toEqual({ uploads: 0, files: 0, size: 10 })
    // What was counted before still arrives.
    await requests.update(id, { closedAt: 1 })
    await requests.addUsage(id, { size: -1 })
    expect([await requests.reserveFile(id, now), await requests.reserveSize(id, 1)]).toEqual([false, true])
  })

  test('a page has the requests of a user that are not removed, the newest first', async () => {
    const user = userRecord('asks')
    await store().users.insert(user)
    const ids = []
    for (const createdAt of [3, 1, 2, 2]) ids.push(await newRequest({ userId: user.id, createdAt }))
    await newRequest({ userId: user.id, createdAt: 9, removedAt: 1 })
    await newRequest({ createdAt: 9 })
    const first = await store().requests.page(user.id, { limit: 3, order: 'desc' })
    expect(first).toMatchObject({ total: 4, before: null })
    const after = first.after ?? undefined
    const next = await store().requests.page(user.id, { limit: 3, order: 'desc', ...(after && { after }) })
    expect([...first.results, ...next.results].map(({ createdAt }) => createdAt)).toEqual([3, 2, 2, 1])
    expect(await store().requests.count(user.id)).toBe(4)
    await store().users.remove(user.id)
    expect(await store().requests.find(ids[0] ?? '')).toBeUndefined()
  })

  test('an expired request can be purged when it has no upload left', async () => {
    const [empty, full, later] = [
      await newRequest({ expireAt: 10 }),
      await newRequest({ expireAt: 10 }),
      await newRequest({ expireAt: 30 }),
    ]
    await store().uploads.insert(uploadRecord({ requestId: full }))
    await store().uploads.insert(uploadRecord({ requestId: empty, deletedAt: 5 }))
    const found = await store().requests.purgeable(20, 1_000)
    expect([empty, full, later].map((id) => found.includes(id))).toEqual([true, false, false])
  })

  test('the uploads of a request are listed alone, in the order of their dates', async () => {
    const id = await newRequest()
    for (const createdAt of [2, 1, 3])
      await store().uploads.insert(uploadRecord({ requestId: id, createdAt }))
    await store().uploads.insert(uploadRecord({ requestId: id, deletedAt: 1 }))
    await store().uploads.insert(uploadRecord())
    const query = { limit: 10, order: 'desc' } as const
    const page = await store().uploads.page({ requestId: id }, 'createdAt', query, now)
    expect(page.results.map(({ createdAt }) => createdAt)).toEqual([3, 2, 1])
    expect(await store().requests.uploadsOf(id, 2)).toHaveLength(2)
  })
}
