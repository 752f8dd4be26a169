import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { listUploads, type ListedUpload } from '../../src/core/uploads/list-uploads.ts'
import { guest } from '../../src/domain/access/principal.ts'
import type { UploadRecord } from '../../src/domain/records.ts'
import { sqliteDialect } from '../../src/metadata/dialects/sqlite/sqlite.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { fileRecord, uploadRecord } from '../support/databases/records.ts'
import { userRecord } from '../support/databases/user-records.ts'
import { watchedQueries } from '../support/databases/watched-queries.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

let store: OpenMetadataStore
let statements: string[] = []
let directory: string
beforeAll(async () => {
  directory = await temporaryDirectory()
  const dialect = sqliteDialect(join(directory, 'svc.db'))
  store = await openMetadataStore(watchedQueries(dialect, ({ sql }) => statements.push(sql)))
})
afterAll(() => store.close())
beforeEach(() => {
  statements = []
})

/** Statements that read names of files, or comments. */
const reads = () => statements.filter((sql) => sql.startsWith('select *')).length

interface Page {
  readonly uploads: number
  readonly files: number
  readonly comments?: string
  readonly fileName?: string
}

/** A page with all uploads of a new user. */
async function pageWith({ uploads, files, comments = '', fileName = 'name' }: Page) {
  const user = userRecord()
  await store.users.insert(user)
  const records = Array.from({ length: uploads }, (_, createdAt) =>
    uploadRecord({ userId: user.id, createdAt, comments, expireAt: null }),
  )
  await store.transaction(async (transaction) => {
    for (const record of records) {
      await transaction.uploads.insert(record)
      for (let position = 0; position < files; position += 1)
        await transaction.files.insert(fileRecord(record, { position, fileName }))
    }
  })
  statements = []
  const service = { store, clock: manualClock(), config: defaultConfig(directory) }
  const query = { limit: 500, order: 'asc' } as const
  const page = await listUploads(service, guest, { filter: { userId: user.id }, sort: 'createdAt', query })
  return { records, page }
}

/** The number of files of each upload, in the order of the page. */
async function contentOf(uploads: AsyncIterable<readonly ListedUpload[]>) {
  const content: [string, number][] = []
  for await (const batch of uploads)
    for (const { upload, rest } of batch) {
      let count = upload.files.length
      if (rest !== null) for await (const files of rest) count += files.length
      content.push([upload.id, count])
    }
  return content
}

const expected = (records: readonly UploadRecord[], files: number) => records.map(({ id }) => [id, files])

test.each([
  ['long comments', { uploads: 40, files: 0, comments: 'x'.repeat(32_768) }, 20],
  ['long names', { uploads: 4, files: 400, fileName: '🗿'.repeat(1_024) }, 40],
  ['short texts', { uploads: 500, files: 1 }, 8],
] satisfies [string, Page, number][])(
  'a page with %s is read in batches, as far as its client receives it',
  async (_texts, content, atLeast) => {
    const { records, page } = await pageWith(content)
    expect([page.isOneBatch, reads()]).toEqual([false, 0])
    const uploads = page.uploads[Symbol.asyncIterator]()
    const first = await uploads.next()
    expect(reads()).toBeLessThanOrEqual(2)
    const rest = await contentOf({ [Symbol.asyncIterator]: () => uploads })
    expect(reads()).toBeGreaterThanOrEqual(atLeast)
    const begun = first.done === true ? [] : first.value.map(({ upload }) => upload.id)
    expect([...begun, ...rest.map(([id]) => id)]).toEqual(records.map(({ id }) => id))
  },
)

test.each([
  [1, 0, true],
  [8, 4, true],
  [9, 0, false],
  [8, 5, false],
  [1, 32, true],
  [1, 33, false],
  [3, 33, false],
  [70, 1, false],
])('a page of %i uploads with %i files is complete; one batch: %s', async (uploads, files, isOneBatch) => {
  const { records, page } = await pageWith({ uploads, files })
  expect(page.isOneBatch).toBe(isOneBatch)
  expect(await contentOf(page.uploads)).toEqual(expected(records, files))
})
