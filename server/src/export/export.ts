import { canTransition } from '../domain/files/file-status.ts'
import type { FileRecord, UploadRecord } from '../domain/records.ts'
import type { RowsAfter, TableReads } from '../metadata/table-reads.ts'
import { formatVersion, schemas, type Fields, type LineKind, type RecordKind } from './record-lines.ts'

/** The number of rows of each table that are in memory at once. */
const batch = 500

/** As `batch`, of previews, which are larger than other rows. */
const previewBatch = 64

/** The number of characters of a chunk. */
const chunkLength = 64 * 1024

/** The number of records between two progress reports. */
const progressInterval = 100_000

/** The number of records of each kind. */
export type Tally = Record<RecordKind, number>

export const noRecords = (): Tally => ({
  user: 0,
  token: 0,
  request: 0,
  upload: 0,
  file: 0,
  preview: 0,
  alias: 0,
  download: 0,
  figure: 0,
  webhook: 0,
  notification: 0,
})

/**
 * Exports all users, tokens, upload requests and uploads, each upload followed by its files, the previews of files, the aliases, the
 * downloads, the daily stats, and the webhooks and settings of notifications, as lines of JSON.
 * @param tally is updated as records are written
 * @param onProgress called at an interval with the number of written records
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
    if (written % progressInterval === 0) onProgress(written)
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
  for await (const request of eachRow(tables.requests)) yield record('request', request)

  // Both tables are read in the order of the uploads, in parallel.
  const files = eachRow(tables.files)
  let file = await files.next()
  for await (const upload of eachRow(tables.uploads)) {
    yield record('upload', upload)
    while (file.done !== true && file.value.uploadId === upload.id) {
      yield record('file', exportedFile(file.value, upload))
      file = await files.next()
    }
  }
  for await (const { content, ...row } of eachRow(tables.previews, previewBatch))
    yield record('preview', { ...row, content: Buffer.from(content).toString('base64') })
  for await (const alias of eachRow(tables.aliases)) yield record('alias', alias)
  for await (const download of eachRow(tables.downloads)) yield record('download', download)
  for await (const counter of eachRow(tables.dailyStats)) yield record('figure', counter)
  for await (const webhook of eachRow(tables.webhooks)) yield record('webhook', webhook)
  for await (const settings of eachRow(tables.notificationSettings)) yield record('notification', settings)
}

/**
 * A resumable upload cannot continue on another server. Its exported file looks like one of a dead process, so that
 * the first cleanup discards it; no process has the id of a file.
 */
function exportedFile(file: FileRecord, upload: UploadRecord): FileRecord {
  // A mass removal may not have updated the files of a removed upload yet.
  if (upload.deletedAt !== null && canTransition(file.status, 'removed'))
    return { ...file, status: 'removed', reserved: 0 }
  return file.status === 'uploading' && file.instance === null ? { ...file, instance: file.id } : file
}

async function* eachRow<Row>(rowsAfter: RowsAfter<Row>, size = batch): AsyncGenerator<Row, undefined> {
  let last: Row | undefined
  for (;;) {
    const rows = await rowsAfter(last, size)
    yield* rows
    if (rows.length < size) return
    last = rows.at(-1)
  }
}

/** A line has the fields of its schema, in their order; a row may have more. */
function lineOf<Kind extends LineKind>(kind: Kind, row: Fields<Kind>): string {
  const fields = Object.keys(schemas[kind].properties).map((name) => [name, row[name as keyof Fields<Kind>]])
  return `${JSON.stringify({ kind, ...(Object.fromEntries(fields) as object) })}\n`
}
