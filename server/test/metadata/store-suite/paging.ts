import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UploadRecord } from '../../../src/domain/records.ts'
import type { PageOf, PageQuery } from '../../../src/metadata/query/page.ts'
import type { MetadataStore } from '../../../src/metadata/store.ts'
import type { UploadSort } from '../../../src/metadata/uploads/upload-listing.ts'
import { uploadRecord } from '../../support/databases/records.ts'
import { userRecord } from '../../support/databases/user-records.ts'

interface Listed {
  readonly createdAt: number
  readonly size: number
}

/** A change between two pages. */
type Event = { readonly add: Listed } | { readonly remove: number }

const few = fc.nat(3)
const listed = fc.record({ createdAt: few, size: few })
const events = fc.array(
  fc.oneof(
    listed.map((add): Event => ({ add })),
    fc.nat(30).map((remove): Event => ({ remove })),
  ),
  { maxLength: 3 },
)
const listing = fc.record({
  items: fc.array(listed, { maxLength: 12 }),
  sort: fc.constantFrom<UploadSort>('createdAt', 'size'),
  order: fc.constantFrom<PageQuery['order']>('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 5 }),
  /** Runs before each page, forwards and backwards; nothing happens after the last one. */
  schedule: fc.array(events, { maxLength: 12 }),
})

const now = 50

/** Listings that change while they are read. */
export function pagingSuite(store: () => MetadataStore): void {
  /** The uploads of a new user, and the changes to them. */
  async function newListing({ items, sort }: { items: readonly Listed[]; sort: UploadSort }) {
    const user = userRecord()
    await store().users.insert(user)
    const present = new Map<string, UploadRecord>()
    const add = async (item: Listed) => {
      const upload = uploadRecord({ ...item, userId: user.id, expireAt: null })
      await store().uploads.insert(upload)
      present.set(upload.id, upload)
    }
    const apply = async (event: Event) => {
      if ('add' in event) return add(event.add)
      const id = Array.from(present.keys())[event.remove]
      if (id === undefined) return
      await store().uploads.remove(id, now)
      present.delete(id)
    }
    for (const item of items) await add(item)
    const page = (query: PageQuery) => store().uploads.page({ userId: user.id }, sort, query, now)
    return { present, apply, page }
  }

  const expectOrder = (uploads: readonly UploadRecord[], sort: UploadSort, order: PageQuery['order']) => {
    const before = (a: UploadRecord, b: UploadRecord) => a[sort] - b[sort] || (a.id < b.id ? -1 : 1)
    const sorted = uploads.toSorted(before)
    expect(uploads).toEqual(order === 'asc' ? sorted : sorted.toReversed())
  }

  test('every upload that stays is listed once in each direction, while others are added and removed', async () => {
    await fc.assert(
      fc.asyncProperty(listing, async ({ items, sort, order, limit, schedule }) => {
        const { present, apply, page } = await newListing({ items, sort })
        const next = schedule.values()
        const happen = async () => {
          for (const event of next.next().value ?? []) await apply(event)
        }
        /** Pages in one direction from a first one, with the rows from the first to the last. */
        const traverse = async (from: PageOf<UploadRecord>, direction: 'before' | 'after') => {
          const start = new Set(present.keys())
          const pages = [from.results]
          let at = from
          for (let cursor = at[direction]; cursor !== null; cursor = at[direction]) {
            await happen()
            at = await page({ limit, order, [direction]: cursor })
            expect(at.total).toBe(present.size)
            expect(at.results.length).toBeLessThanOrEqual(limit)
            if (direction === 'after') pages.push(at.results)
            else pages.unshift(at.results)
          }
          const seen = pages.flat()
          const ids = seen.map(({ id }) => id)
          expect(new Set(ids).size).toBe(ids.length)
          expectOrder(seen, sort, order)
          const stayed = Array.from(present.keys()).filter((id) => start.has(id))
          expect(stayed.filter((id) => !ids.includes(id))).toEqual([])
          return at
        }
        const last = await traverse(await page({ limit, order }), 'after')
        expect(last.after).toBeNull()
        const lastNow = last.results.filter(({ id }) => present.has(id))
        const first = await traverse({ ...last, results: lastNow }, 'before')
        expect(first.before).toBeNull()
        await traverse({ ...first, results: first.results.filter(({ id }) => present.has(id)) }, 'after')
      }),
      { numRuns: 150 },
    )
  })

  test('the first page of a filtered list has the total of all pages', async () => {
    const user = userRecord()
    await store().users.insert(user)
    for (let n = 0; n < 12; n += 1) {
      const oneShot = n % 3 === 0 ? (0 as const) : (1 as const)
      const item = { createdAt: n % 5, size: n % 2, oneShot, options: oneShot, expireAt: null }
      await store().uploads.insert(uploadRecord({ ...item, userId: user.id }))
    }
    const filter = { userId: user.id, oneShot: true }
    for (const sort of ['createdAt', 'size'] as const)
      for (const order of ['asc', 'desc'] as const)
        for (const query of [{ limit: 1 }, { limit: 7, exactTotal: true }, { limit: 8 }]) {
          const page = await store().uploads.page(filter, sort, { ...query, order }, now)
          expect(page).toMatchObject({ total: 8, totalIsLowerBound: false })
          expect(page.results).toHaveLength(query.limit)
        }
  })

  test('a page whose rows are all removed links to the pages before and after', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const items = [1, 2, 3].map((createdAt) => ({ createdAt, size: 0 }))
      const { present, apply, page } = await newListing({ items, sort: 'createdAt' })
      const first = await page({ limit: 2, order })
      expect([first.results.length, first.before]).toEqual([2, null])
      const [removed] = (await page({ limit: 2, order, after: first.after ?? never() })).results
      await apply({ remove: Array.from(present.keys()).indexOf(removed?.id ?? '') })
      const empty = await page({ limit: 2, order, after: first.after ?? never() })
      expect(empty).toMatchObject({ results: [], after: null, total: 2 })
      const back = await page({ limit: 2, order, before: empty.before ?? never() })
      expect(back).toEqual({ ...first, after: expect.anything() as unknown, total: 2 })
      const forward = await page({ limit: 2, order, after: back.after ?? never() })
      expect(forward).toMatchObject({ results: [], after: null })
    }
  })

  test('an empty listing has no cursors', async () => {
    const { page } = await newListing({ items: [], sort: 'size' })
    const nothing = { before: null, after: null, total: 0, totalIsLowerBound: false, results: [] }
    expect(await page({ limit: 5, order: 'asc' })).toEqual(nothing)
    const edge = { value: 5, id: 'x' }
    for (const query of [{ after: edge }, { before: edge }, { after: edge, before: edge }]) {
      expect(await page({ limit: 5, order: 'desc', ...query })).toMatchObject({ total: 0, results: [] })
    }
  })

  test('a range between two cursors contains the rows after one and before the other', async () => {
    const items = [1, 2, 3, 4, 5].map((createdAt) => ({ createdAt, size: 0 }))
    const { page } = await newListing({ items, sort: 'createdAt' })
    const at = (value: number) => ({ value, id: '' })
    const { results } = await page({ limit: 5, order: 'asc', after: at(2), before: at(4) })
    expect(results.map(({ createdAt }) => createdAt)).toEqual([2, 3])
  })
}

function never(): never {
  throw new Error('there should be a cursor')
}
