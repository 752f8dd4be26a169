import type { ImportReport } from '../export/add-records.ts'
import { noRecords, type Tally } from '../export/export.ts'
import { contradictionIn } from '../export/record-contradictions.ts'
import { schemas, type Line, type RecordKind } from '../export/record-lines.ts'
import { schemaValidator } from '../export/schema-validator.ts'
import type { KnownRecords } from '../metadata/known-records.ts'
import type { Findings } from './findings.ts'
import type { EndReason, Redirect, UploadContext } from './source.ts'
import type { Transfer } from './transfer.ts'

export interface ServiceImportReport extends ImportReport {
  /** Bytes of the added files. */
  bytes: number
  /** Files of earlier imports whose bytes the data store had lost. */
  readonly restored: { files: number; bytes: number }
  /** Uploads that were left out: the other service does not serve them, they store nothing, or files are missing or damaged. */
  readonly leftOut: Record<EndReason | 'damaged', number>
}

export const noServiceImport = (): ServiceImportReport => ({
  added: noRecords(),
  skipped: noRecords(),
  refused: noRecords(),
  bytes: 0,
  restored: { files: 0, bytes: 0 },
  leftOut: { removed: 0, expired: 0, 'used up': 0, stream: 0, damaged: 0 },
})

/** The service that receives the records. */
export interface ImportTarget extends Omit<UploadContext, 'onChange'> {
  readonly known: KnownRecords
  /** Adds records in one transaction. Only counts them in a dry run. */
  readonly add: (lines: readonly Line<RecordKind>[]) => Promise<ImportReport>
  readonly transfer: Transfer
  /** What an admin should know of this service, after an import with this report. */
  readonly warnings: (report: ServiceImportReport) => Promise<readonly string[]>
}

export interface ImportRun {
  readonly target: ImportTarget
  readonly report: ServiceImportReport
  readonly findings: Findings
  /** Whether uploads are imported without the files that are missing or damaged. */
  readonly isPartial: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Called after each transaction. */
  readonly onProgress: () => void
  /** Called with the redirects to uploads that this service has. */
  readonly onRedirects: (redirects: readonly Redirect[]) => Promise<void>
}

/** The problem of a record, as the rest of a sentence, or null. */
export const problemIn = (line: Line<RecordKind>): string | null =>
  schemaValidator(schemas[line.kind])(line.fields) ?? contradictionIn(line)

export async function addAll(
  report: ServiceImportReport,
  { add }: ImportTarget,
  lines: readonly Line<RecordKind>[],
): Promise<void> {
  if (lines.length === 0) return
  const { added, skipped } = await add(lines)
  sumInto(report.added, added)
  sumInto(report.skipped, skipped)
}

function sumInto(sum: Tally, more: Tally): void {
  for (const kind of Object.keys(sum) as RecordKind[]) sum[kind] += more[kind]
}
