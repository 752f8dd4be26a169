import { canTransition } from '../domain/files/file-status.ts'
import type { FileRecord, UploadRecord } from '../domain/records.ts'
import type { RowsAfter, TableReads } from '../metadata/bulk-tables.ts'
import { formatVersion, schemas, type Fields, type LineKind, type RecordKind } from './record-lines.ts'

/** Rows that are in memory at once, of each table. */
const batch = 500

/** Characters that are handed on together. */
const chunkLength = 64 * 1024

/** Records after which the progress is told. */
const notice = 100_000

/** How many records of each kind there were. */
export type Tally = Record<RecordKind, number>

export const noRecords = (): Tally => ({ user: 0, token: 0, upload: 0, file: 0, figure: 0 })

/**
 * All users, tokens and uploads, each upload followed by its files, and the figures of days, as lines of JSON.
 * @param tally is counted up meanwhile
 * @param onProgress told now and then how many records were written
 */
export async function* exportText(
  tables: TableReads,
  tally: Tally,
  onProgress: (records: number) => void = () => undefined,
): AsyncGenerator<string> {
  let written = 0
  let text = lineOf('export', { version: formatVersion })
  for await (const line of recordLines(tables, tally)) {
    text += line
    written += 1
    if (written % notice === 0) onProgress(written)
    if (text.length < chunkLength) continue
    yield text
    text = ''
  }
  const records = Object.values(tally).reduce((sum, count) => sum + count)
  yield text + lineOf('end', { records })
}

async function* recordLines(tables: TableReads, tally: Tally): AsyncGenerator<string> {
  const record = <Kind extends RecordKind>(kind: Kind, row: Fields<Kind>) => {
    tally[kind] += 1
    return lineOf(kind, row)
  }
  for await (const user of eachRow(tables.users)) yield record('user', user)
  for await (const token of eachRow(tables.tokens)) yield record('token', token)

  // Both tables are read in the order of the uploads, side by side.
  const files = eachRow(tables.files)
  let file = await files.next()
  for await (const upload of eachRow(tables.uploads)) {
    yield record('upload', upload)
    while (file.done !== true && file.value.uploadId === upload.id) {
      yield record('file', carried(file.value, upload))
      file = await files.next()
    }
  }
  for await (const figure of eachRow(tables.figures)) yield record('figure', figure)
}

/**
 * A file that comes in pieces cannot go on elsewhere. There it looks as if its process had died, so that the first
 * cleaning gives it up; no process has the id of a file.
 */
function carried(file: FileRecord, upload: UploadRecord): FileRecord {
  // A mass removal may not have reached the files of a removed upload.
  if (upload.deletedAt !== null && canTransition(file.status, 'removed'))
    return { ...file, status: 'removed', reserved: 0 }
  return file.status === 'uploading' && file.instance === null ? { ...file, instance: file.id } : file
}

async function* eachRow<Row>(rowsAfter: RowsAfter<Row>): AsyncGenerator<Row, undefined> {
  let last: Row | undefined
  for (;;) {
    const rows = await rowsAfter(last, batch)
    yield* rows
    if (rows.length < batch) return
    last = rows.at(-1)
  }
}

/** A line has the fields of its schema, in their order; a row may have more. */
function lineOf<Kind extends LineKind>(kind: Kind, row: Fields<Kind>): string {
  const fields = Object.keys(schemas[kind].properties).map((name) => [name, row[name as keyof Fields<Kind>]])
  return `${JSON.stringify({ kind, ...(Object.fromEntries(fields) as object) })}\n`
}
