import { expect } from 'vitest'
import type { Beside } from './beside.ts'
import { storedFiles } from './storage.ts'

/** Asserts that the kept figures are what the files say, and that the directory has the files that can be had. */
export async function expectBooksRight(
  database: Beside,
  place: { readonly directory: string },
): Promise<void> {
  const files = await database.ask('select "id", "uploadId", "status", "fileSize", "reserved" from files')
  const uploads = await database.ask('select "id", "userId", "size", "fileCount", "deletedAt" from uploads')
  const users = await database.ask('select "id", "usedSize" from users')
  const stored = files.filter(({ status }) => status === 'uploaded')
  expect(storedFiles(place)).toEqual(stored.map(({ id }) => String(id)).sort())
  const sizeOf = (uploadId: unknown) =>
    stored.reduce((sum, file) => (file['uploadId'] === uploadId ? sum + Number(file['fileSize']) : sum), 0)
  const present = uploads.filter(({ deletedAt }) => deletedAt === null)
  expect(present.map(({ id, size }) => [id, Number(size)])).toEqual(present.map(({ id }) => [id, sizeOf(id)]))
  const places = (uploadId: unknown) =>
    files.filter((file) => file['uploadId'] === uploadId && file['status'] !== 'deleted').length
  expect(present.map(({ id, fileCount }) => [id, Number(fileCount)])).toEqual(
    present.map(({ id }) => [id, places(id)]),
  )
  const usedBy = (userId: unknown) =>
    uploads.reduce((sum, upload) => (upload['userId'] === userId ? sum + sizeOf(upload['id']) : sum), 0)
  expect(users.map(({ id, usedSize }) => [id, Number(usedSize)])).toEqual(
    users.map(({ id }) => [id, usedBy(id)]),
  )
  expect(files.filter(({ status }) => status === 'uploading')).toEqual([])
}
