import { expect } from 'vitest'
import type { DirectConnection } from './direct-connection.ts'
import { storedFiles } from '../servers/server-data.ts'

/**
 * Asserts that the stored counters match the files, and that the directory has the files that can be
 * downloaded.
 */
export async function expectCorrectCounters(
  database: DirectConnection,
  place: { readonly directory: string },
): Promise<void> {
  const files = await database.query('select "id", "uploadId", "status", "fileSize", "reserved" from files')
  const uploads = await database.query('select "id", "userId", "size", "fileCount", "deletedAt" from uploads')
  const users = await database.query('select "id", "usedSize" from users')
  const stored = files.filter(({ status }) => status === 'uploaded')
  expect(storedFiles(place)).toEqual(stored.map(({ id }) => String(id)).sort())
  const sizeOf = (uploadId: unknown) =>
    stored.reduce((sum, file) => (file['uploadId'] === uploadId ? sum + Number(file['fileSize']) : sum), 0)
  const present = uploads.filter(({ deletedAt }) => deletedAt === null)
  expect(present.map(({ id, size }) => [id, Number(size)])).toEqual(present.map(({ id }) => [id, sizeOf(id)]))
  const entries = (uploadId: unknown) =>
    files.filter((file) => file['uploadId'] === uploadId && file['status'] !== 'deleted').length
  expect(present.map(({ id, fileCount }) => [id, Number(fileCount)])).toEqual(
    present.map(({ id }) => [id, entries(id)]),
  )
  const usedBy = (userId: unknown) =>
    uploads.reduce((sum, upload) => (upload['userId'] === userId ? sum + sizeOf(upload['id']) : sum), 0)
  expect(users.map(({ id, usedSize }) => [id, Number(usedSize)])).toEqual(
    users.map(({ id }) => [id, usedBy(id)]),
  )
  expect(files.filter(({ status }) => status === 'uploading')).toEqual([])
  await expectCountersRight(database, { present, stored, users })
}

type Rows = Awaited<ReturnType<DirectConnection['query']>>

/** Asserts that the counters of all users and of guests match the stored uploads. */
async function expectCountersRight(
  database: DirectConnection,
  { present, stored, users }: Readonly<Record<'present' | 'stored' | 'users', Rows>>,
): Promise<void> {
  const rows = await database.query('select "owner", "users", "uploads", "files", "size" from totals')
  const counted = (owner: string) =>
    ['users', 'uploads', 'files', 'size'].map((name) =>
      rows.reduce((sum, row) => sum + (row['owner'] === owner ? Number(row[name]) : 0), 0),
    )
  const countersOf = (owned: boolean) => {
    const uploads = present.filter(({ userId }) => (userId !== null) === owned)
    const ids = new Set(uploads.map(({ id }) => id))
    return [
      owned ? users.length : 0,
      uploads.length,
      stored.filter(({ uploadId }) => ids.has(uploadId)).length,
      uploads.reduce((sum, { size }) => sum + Number(size), 0),
    ]
  }
  expect([counted('*'), counted('')]).toEqual([countersOf(true), countersOf(false)])
}
