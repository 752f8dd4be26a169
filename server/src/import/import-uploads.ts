import pLimit from 'p-limit'
import { sniffType } from '../core/uploads/media-type/sniff-type.ts'
import type { Line } from '../export/record-lines.ts'
import { acceptableName } from './file-names.ts'
import type { Finding } from './findings.ts'
import { compareFiles } from './known-files.ts'
import { addAll, problemIn, type ImportRun } from './run.ts'
import type { SourceFile, SourceUpload } from './source.ts'

/** The maximum of uploads and of bytes of a transaction, unless one upload has more: what an interruption repeats. */
const uploadsPerCommit = 500
const bytesPerCommit = 2 ** 30

/** Files that are copied at the same time: most of the time is spent waiting for the disk. */
const concurrency = 8

/**
 * Imports a page of uploads in several transactions. Uploads that this service has are skipped, so a second run continues where
 * the first one ended.
 */
export async function importUploads(run: ImportRun, uploads: readonly SourceUpload[]): Promise<void> {
  const limit = pLimit(concurrency)
  for (let from = 0; from < uploads.length; from += uploadsPerCommit) {
    const { fresh, known } = await withoutKnown(run, uploads.slice(from, from + uploadsPerCommit))
    await run.onRedirects(known.flatMap(({ redirects }) => redirects))
    for (const group of inGroups(fresh)) {
      const done = await Promise.all(group.map((upload) => uploadLines(run, upload, limit)))
      for (const { findings } of done) for (const finding of findings) run.findings.add(finding)
      const lines = done.flatMap((upload) => upload.lines)
      await addAll(run.report, run.target, lines)
      const added = new Set(lines.flatMap(({ kind, fields }) => (kind === 'upload' ? [fields.id] : [])))
      await run.onRedirects(group.flatMap(({ id, redirects }) => (added.has(id) ? redirects : [])))
      run.report.bytes += bytesOf(lines)
      run.onProgress()
    }
  }
}

/** The uploads that are still to be imported; counts the others. */
async function withoutKnown(
  run: ImportRun,
  uploads: readonly SourceUpload[],
): Promise<{ readonly fresh: readonly SourceUpload[]; readonly known: readonly SourceUpload[] }> {
  const { target, report, findings } = run
  const ids = await target.known.uploads(uploads.map(({ id }) => id))
  const known = uploads.filter(({ id }) => ids.has(id))
  report.skipped.upload += known.length
  await compareFiles(run, known)
  const seen = new Set<string>()
  const fresh = uploads.filter(({ id, sourceId, end, refusal }) => {
    if (ids.has(id)) return false
    if (end !== null) report.leftOut[end] += 1
    if (end !== null || refusal !== null) return end === null
    if (seen.has(id))
      findings.add({ kind: 'refused', sourceId, file: null, detail: 'another upload has its id' })
    const isFirst = !seen.has(id)
    seen.add(id)
    return isFirst
  })
  return { fresh, known }
}

/** Groups of uploads for one transaction each, by the bytes of their files. */
function* inGroups(uploads: readonly SourceUpload[]): Generator<readonly SourceUpload[]> {
  let group: SourceUpload[] = []
  let bytes = 0
  for (const upload of uploads) {
    group.push(upload)
    for (const { content } of upload.files) bytes += content?.size || 0
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

type Limit = <Result>(work: () => Promise<Result>) => Promise<Result>

interface UploadLines {
  readonly lines: readonly Line<'upload' | 'file'>[]
  readonly findings: readonly Finding[]
}

/**
 * The records of an upload and its files, whose bytes are stored. There are none if this service cannot have the upload, or
 * if a later run can import it whole.
 */
async function uploadLines(
  { target, isPartial, report: total }: ImportRun,
  upload: SourceUpload,
  limit: Limit,
): Promise<UploadLines> {
  const findings: Finding[] = []
  const report = (finding: Finding) => void findings.push(finding)
  const { sourceId, files } = upload
  if (upload.refusal !== null)
    return { lines: [], findings: [{ kind: 'refused', sourceId, file: null, detail: upload.refusal }] }
  const fields = await upload.fields({
    ...target,
    onChange: (detail) => {
      report({ kind: 'changed', sourceId, file: null, detail })
    },
  })
  const problem = problemIn({ number: 0, kind: 'upload', fields })
  if (problem !== null) {
    report({ kind: 'refused', sourceId, file: null, detail: problem })
    return { lines: [], findings }
  }
  const firsts = new Map(files.toReversed().map((file) => [file.id, file]))
  const isFirst = (file: SourceFile) => firsts.get(file.id) === file
  for (const file of files)
    if (!isFirst(file))
      report({
        kind: 'refused',
        sourceId,
        file: file.sourceId,
        detail: 'another file of the upload has its id',
      })
  const lines = await Promise.all(
    files
      .filter(isFirst)
      .map((file, position) => limit(() => fileLine(target, file, { sourceId, position, report }))),
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

const countsAgainstLimit: ReadonlySet<string> = new Set(['missing', 'uploaded'])

interface FileParts {
  /** The id of its upload, for reports. */
  readonly sourceId: string
  readonly position: number
  readonly report: (finding: Finding) => void
}

async function fileLine(
  { transfer }: Pick<ImportRun['target'], 'transfer'>,
  source: SourceFile,
  { sourceId, position, report }: FileParts,
): Promise<Line<'file'> | null> {
  const { id, sourceId: file, name } = source
  const leaveOut = (kind: Finding['kind'], detail: string) => {
    report({ kind, sourceId, file, detail })
    return null
  }
  if (source.leftOut !== null) return leaveOut(source.leftOut.kind, source.leftOut.detail)
  const fileName = acceptableName(name)
  let content = null
  if (source.content !== null) {
    const transferred = await transfer.store(id, source.content)
    if (transferred.outcome === 'missing') return leaveOut('missing', `${fileName}: there are no bytes`)
    if (transferred.outcome === 'damaged') return leaveOut('damaged', `${fileName}: ${transferred.detail}`)
    content = transferred.content
  }
  const type = content === null ? '' : await sniffType(content.head)
  const line: Line<'file'> = {
    number: 0,
    kind: 'file',
    fields: source.fields({ position, fileName, content, type }),
  }
  const problem = problemIn(line)
  if (problem !== null) return leaveOut('refused', problem)
  if (fileName !== name)
    report({ kind: 'renamed', sourceId, file, detail: `from "${name}" to "${fileName}"` })
  return line
}
