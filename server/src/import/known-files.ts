import pLimit from 'p-limit'
import type { ExpectedBytes } from '../metadata/known-records.ts'
import { acceptableName } from './file-names.ts'
import type { Finding } from './findings.ts'
import type { ImportRun } from './run.ts'
import type { SourceFile, SourceUpload } from './source.ts'
import { verifyContent, type Transfer } from './transfer.ts'

/** Ids of files that one statement looks up. */
const idsPerLookup = 1_000

/** Parallel requests to the store. */
const concurrency = 16

type FileFinding = Pick<Finding, 'kind' | 'detail'>

/** What the data store has of a file, after what it lacked was copied again. */
type Comparison =
  | { readonly outcome: 'intact' }
  | { readonly outcome: 'restored'; readonly bytes: number }
  | { readonly outcome: 'lost'; readonly finding: FileFinding }

/**
 * Counts the files of uploads that an earlier import has brought, restores the bytes that the data store has lost since, and
 * reports files that are not there.
 */
export async function compareFiles(
  { target, report, findings, now }: Pick<ImportRun, 'target' | 'report' | 'findings' | 'now'>,
  uploads: readonly SourceUpload[],
): Promise<void> {
  const { known, transfer } = target
  const limit = pLimit(concurrency)
  const files = uploads.flatMap(({ sourceId, files }) => files.map((file) => ({ sourceId, file })))
  const present = await known.filesOf(uploads.map(({ id }) => id))
  for (let from = 0; from < files.length; from += idsPerLookup) {
    const page = files.slice(from, from + idsPerLookup)
    const ids = page.map(({ file }) => file.id).filter((id) => present.has(id))
    const stored = await known.storedFiles(ids, now)
    // Several files of a damaged database may have one id.
    const firsts = new Map(page.toReversed().map(({ file }) => [file.id, file]))
    const compared = new Map<string, Comparison>()
    const compare = async (file: SourceFile, expected: ExpectedBytes) => {
      compared.set(file.id, await restored(transfer, file, expected))
    }
    await Promise.all(
      [...firsts].flatMap(([id, file]) => {
        const expected = stored.get(id)
        return expected === undefined ? [] : [limit(() => compare(file, expected))]
      }),
    )
    await discardRemoved(target, compared, now)
    for (const { sourceId, file } of page) {
      const add = (finding: FileFinding) => {
        findings.add({ sourceId, file: file.sourceId, ...finding })
      }
      if (present.has(file.id)) report.skipped.file += 1
      else add(file.leftOut ?? leftOutBefore(file))
      const comparison = firsts.get(file.id) === file ? compared.get(file.id) : undefined
      if (comparison?.outcome === 'lost') add(comparison.finding)
      if (comparison?.outcome !== 'restored') continue
      report.restored.files += 1
      report.restored.bytes += comparison.bytes
    }
  }
}

const leftOutBefore = ({ name }: SourceFile): FileFinding => ({
  kind: 'missing',
  detail: `${acceptableName(name)}: an earlier import left it out`,
})

const intact: Comparison = { outcome: 'intact' }

/** Copies the bytes of a file again if the data store lacks them. The file itself stays as it is. */
async function restored(
  transfer: Transfer,
  { id, name, leftOut, content }: SourceFile,
  { fileSize, md5 }: ExpectedBytes,
): Promise<Comparison> {
  const condition = await transfer.inspect(id, fileSize)
  if (condition === 'intact') return intact
  const lost = (kind: FileFinding['kind'], detail: string): Comparison => ({
    outcome: 'lost',
    finding: { kind, detail: `${acceptableName(name)}: ${detail}` },
  })
  if (condition === 'unreadable') return lost('damaged', 'the data store of svcd cannot read its bytes')
  const problem =
    condition === 'missing'
      ? 'the data store of svcd does not have its bytes'
      : 'the data store of svcd has too few or too many bytes'
  const nothing = lost('missing', `${problem}, and there are none to restore`)
  if (content === null || leftOut !== null) return nothing
  const source = { ...content, size: fileSize, md5: md5 === '' ? content.md5 : md5 }
  // What is there is replaced only by the right bytes.
  const verified = condition === 'other size' ? await verifyContent(source) : null
  const result =
    verified === null || verified.outcome === 'stored' ? await transfer.store(id, source) : verified
  switch (result.outcome) {
    case 'stored':
      return { outcome: 'restored', bytes: result.content.size }
    case 'missing':
      return nothing
    case 'damaged':
      return lost('damaged', `${problem}, and others cannot replace them: ${result.detail}`)
  }
}

/** Removes the bytes of files that were deleted or consumed while they were restored. */
async function discardRemoved(
  { known, transfer }: ImportRun['target'],
  compared: Map<string, Comparison>,
  now: number,
): Promise<void> {
  const ids = [...compared].flatMap(([id, { outcome }]) => (outcome === 'restored' ? [id] : []))
  const stored = await known.storedFiles(ids, now)
  for (const id of ids) {
    if (stored.has(id)) continue
    await transfer.discard(id)
    compared.set(id, intact)
  }
}
