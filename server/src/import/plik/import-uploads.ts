import pLimit from 'p-limit'
import type { Line } from '../../export/record-lines.ts'
import { isId } from '../../domain/ids.ts'
import { userIdOf } from './accounts.ts'
import type { UploadPage } from './database.ts'
import type { Finding } from './findings.ts'
import { integerOf, textOf, timeOf, type Row } from './rows.ts'
import { addAll, problemIn, type PlikImport } from './run.ts'
import { acceptableName, endOf, fileOf, uploadOf } from './uploads.ts'

/** The maximum of uploads and of bytes of a transaction, unless one upload has more: what an interruption repeats. */
const uploadsPerCommit = 500
const bytesPerCommit = 2 ** 30

/** Files that are copied at the same time: most of the time is spent waiting for the disk. */
const concurrency = 8

/** Imports a page of uploads in several transactions. */
export async function importPage(
  run: PlikImport,
  { uploads, filesOf }: UploadPage,
  users: ReadonlySet<string>,
): Promise<void> {
  reportOrphans(run, uploads, filesOf)
  const limit = pLimit(concurrency)
  for (let from = 0; from < uploads.length; from += uploadsPerCommit) {
    const fresh = await withoutKnown(run, uploads.slice(from, from + uploadsPerCommit), filesOf)
    for (const group of inGroups(fresh, filesOf)) {
      const done = await Promise.all(
        group.map((row) =>
          uploadLines(run, row, { files: filesOf.get(textOf(row, 'id')) ?? [], users, limit }),
        ),
      )
      for (const { findings } of done) for (const finding of findings) run.findings.add(finding)
      const lines = done.flatMap((upload) => upload.lines)
      await addAll(run.report, run.target, lines)
      run.report.bytes += bytesOf(lines)
      run.onProgress()
    }
  }
}

type FilesOf = UploadPage['filesOf']

function reportOrphans({ findings }: PlikImport, uploads: readonly Row[], filesOf: FilesOf): void {
  const found = new Set(uploads.map((row) => textOf(row, 'id')))
  for (const [uploadId, files] of filesOf) {
    if (found.has(uploadId)) continue
    for (const file of files)
      findings.add({
        kind: 'orphan',
        of: uploadId,
        file: textOf(file, 'id'),
        detail: 'the upload of the file does not exist',
      })
  }
}

/** The uploads that are still to be imported; counts the others. */
async function withoutKnown(
  { target, report, now }: PlikImport,
  uploads: readonly Row[],
  filesOf: FilesOf,
): Promise<readonly Row[]> {
  const known = await target.known.uploads(uploads.map((row) => textOf(row, 'id')))
  return uploads.filter((row) => {
    const id = textOf(row, 'id')
    if (known.has(id)) {
      report.skipped.upload += 1
      report.skipped.file += filesOf.get(id)?.length ?? 0
      return false
    }
    const end = endOf(row, now)
    if (end !== null) report.leftOut[end] += 1
    return end === null
  })
}

/** Groups of uploads for one transaction each, by the bytes of their files. */
function* inGroups(uploads: readonly Row[], filesOf: FilesOf): Generator<readonly Row[]> {
  let group: Row[] = []
  let bytes = 0
  for (const row of uploads) {
    group.push(row)
    for (const file of filesOf.get(textOf(row, 'id')) ?? []) bytes += integerOf(file, 'size') || 0
    if (bytes < bytesPerCommit) continue
    yield group
    group = []
    bytes = 0
  }
  if (group.length > 0) yield group
}

const bytesOf = (lines: readonly Line<'upload' | 'file'>[]): number =>
  lines.reduce(
    (sum, { kind, fields }) => sum + (kind === 'file' && fields.status === 'uploaded' ? fields.fileSize : 0),
    0,
  )

interface UploadParts {
  readonly files: readonly Row[]
  readonly users: ReadonlySet<string>
  readonly limit: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/**
 * The records of an upload and its files, whose bytes are stored. There are none if this service cannot have the upload, or
 * if a later run can import it whole.
 */
async function uploadLines(
  { target, now, isPartial, report: total }: PlikImport,
  row: Row,
  { files, users, limit }: UploadParts,
): Promise<{ readonly lines: readonly Line<'upload' | 'file'>[]; readonly findings: readonly Finding[] }> {
  const findings: Finding[] = []
  const report = (finding: Finding) => void findings.push(finding)
  const of = textOf(row, 'id')
  const onChange = (detail: string) => {
    report({ kind: 'changed', of, file: null, detail })
  }
  const owner = textOf(row, 'user')
  const userId = userIdOf(owner)
  const isOwned = userId !== null && users.has(userId)
  if (owner !== '' && !isOwned) onChange(`its owner ${owner} does not exist: it has no owner here`)
  const fields = await uploadOf(row, { ...target, userId: isOwned ? userId : null, now, onChange })
  const problem = problemIn({ number: 0, kind: 'upload', fields })
  if (problem !== null) {
    report({ kind: 'refused', of, file: null, detail: problem })
    return { lines: [], findings }
  }
  const lines = await Promise.all(
    files
      .toSorted(byTime)
      .map((file, position) => limit(() => fileLine({ target, now }, file, { of, position, report }))),
  )
  const kept = lines.filter((line) => line !== null)
  const isDamaged = findings.some(({ kind }) => kind === 'missing' || kind === 'damaged')
  if (isDamaged && !isPartial) {
    total.leftOut.damaged += 1
    const stored = kept.filter((line) => line.fields.status === 'uploaded')
    await Promise.all(stored.map((line) => target.transfer.discard(line.fields.id)))
    return { lines: [], findings: inOrder(findings) }
  }
  const fileCount = kept.filter((line) => countsAgainstLimit.has(line.fields.status)).length
  return {
    lines: [{ number: 0, kind: 'upload', fields: { ...fields, fileCount } }, ...kept],
    findings: inOrder(findings),
  }
}

/** Files are read at the same time. */
const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => ((a.file ?? '') < (b.file ?? '') ? -1 : 1))

function byTime(a: Row, b: Row): number {
  const difference = (timeOf(a, 'created_at') ?? 0) - (timeOf(b, 'created_at') ?? 0)
  return difference || (textOf(a, 'id') < textOf(b, 'id') ? -1 : 1)
}

const countsAgainstLimit: ReadonlySet<string> = new Set(['missing', 'uploaded'])

interface FileParts {
  /** The id of its upload. */
  readonly of: string
  readonly position: number
  readonly report: (finding: Finding) => void
}

async function fileLine(
  { target, now }: Pick<PlikImport, 'target' | 'now'>,
  row: Row,
  { of, position, report }: FileParts,
): Promise<Line<'file'> | null> {
  const id = textOf(row, 'id')
  const leaveOut = (kind: 'incomplete' | 'refused' | 'missing' | 'damaged', detail: string) => {
    report({ kind, of, file: id, detail })
    return null
  }
  const status = textOf(row, 'status')
  if (!['missing', 'uploaded', 'removed', 'deleted'].includes(status))
    return leaveOut('incomplete', `it had not arrived completely (${status || 'no status'})`)
  if (!isId(id)) return leaveOut('refused', 'its id is not one of Plik')
  const name = textOf(row, 'name')
  const fileName = acceptableName(name)
  const size = integerOf(row, 'size')
  let content = null
  if (status === 'uploaded') {
    const transferred = await target.transfer.store({ id, uploadId: of }, { size, md5: textOf(row, 'md5') })
    if (transferred.outcome === 'missing') return leaveOut('missing', `${fileName}: there are no bytes`)
    if (transferred.outcome === 'damaged') return leaveOut('damaged', `${fileName}: ${transferred.detail}`)
    content = transferred.content
  }
  const line: Line<'file'> = {
    number: 0,
    kind: 'file',
    fields: fileOf(row, { position, fileName, now, content }),
  }
  const problem = problemIn(line)
  if (problem !== null) return leaveOut('refused', problem)
  if (fileName !== name) report({ kind: 'renamed', of, file: id, detail: `from ${name} to ${fileName}` })
  return line
}
