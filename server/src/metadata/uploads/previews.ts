import type { PreviewRecord } from '../../domain/records.ts'
import type { Db } from '../query/prepared.ts'

/** The number of rows of an insertion: about a megabyte, which every database accepts in one statement. */
const insertedRows = 32

/** Queries of the table `previews`. Rows are deleted with the data of their files (`markDeleted`, `blank`). */
export function previewQueries(db: Db) {
  return {
    /** Adds the preview of a file that `files.addPreview` has marked in this transaction. */
    async insert(row: PreviewRecord): Promise<void> {
      // An import may have left one that its file does not name.
      await db.deleteFrom('previews').where('fileId', '=', row.fileId).execute()
      await db.insertInto('previews').values(asStored(row)).execute()
    },

    async find(fileId: string): Promise<Uint8Array | undefined> {
      const row = await db
        .selectFrom('previews')
        .select('content')
        .where('fileId', '=', fileId)
        .executeTakeFirst()
      return row?.content
    },
  }
}

/** The first `limit` previews after one, in the order of their files. */
export function previewsAfter(db: Db, last: Pick<PreviewRecord, 'fileId'> | undefined, limit: number) {
  const rows = db.selectFrom('previews').selectAll().orderBy('fileId').limit(limit)
  return last === undefined ? rows : rows.where('fileId', '>', last.fileId)
}

/** Which of some files have a row. */
export async function knownPreviews(db: Db, fileIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('previews').select('fileId').where('fileId', 'in', fileIds).execute()
  return new Set(rows.map(({ fileId }) => fileId))
}

/** Inserts many previews. PostgreSQL does not read bytes from JSON, so that they are values in every database. */
export async function insertPreviews(db: Db, rows: readonly PreviewRecord[]): Promise<void> {
  for (let at = 0; at < rows.length; at += insertedRows)
    await db
      .insertInto('previews')
      .values(rows.slice(at, at + insertedRows).map(asStored))
      .execute()
}

/** Drivers of databases on the network take bytes as a Buffer. */
const asStored = ({ content, ...row }: PreviewRecord): PreviewRecord => ({
  ...row,
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
})
