import { roughSize, abbreviated, table, type Column } from '@svc/terminal'
import type { Clock } from '../../domain/clock.ts'
import { collectFindings, type Finding, type Findings } from '../../import/findings.ts'
import {
  noServiceImport,
  type ImportRun,
  type ImportTarget,
  type ServiceImportReport,
} from '../../import/run.ts'
import type { Program } from '../base/program.ts'
import { rowsOption } from '../base/values.ts'
import { withLinksFile } from './links-file.ts'
import { formatCount, formatTally } from '../terminal/formats.ts'
import { printResult } from '../terminal/print-result.ts'

export interface ServiceArguments {
  /** The installation of the other service. */
  readonly file: string
  readonly config?: string | undefined
  readonly data?: string | undefined
  readonly limit?: string | undefined
  readonly links?: string | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly 'in-place'?: boolean | undefined
  readonly partial?: boolean | undefined
  readonly json?: boolean | undefined
}

/** Opens an installation and this service, and passes this service and what imports the one into the other. */
export type OpenInstallation = (
  how: { readonly isDryRun: boolean; readonly clock: Clock },
  work: (target: ImportTarget, importAll: (run: ImportRun) => Promise<void>) => Promise<void>,
) => Promise<void>

/** Milliseconds between two lines about the progress. */
const progressInterval = 10_000

/** `svcd import --from`: imports an installation of another service, or continues an import that was interrupted. */
export async function importFromService(
  program: Program,
  options: ServiceArguments,
  open: OpenInstallation,
): Promise<void> {
  const { clock } = program
  const isDryRun = options['dry-run'] === true
  const findings = collectFindings(rowsOption(options.limit))
  const report = noServiceImport()
  let reported = clock.now()
  const onProgress = () => {
    if (clock.now() - reported < progressInterval) return
    reported = clock.now()
    program.printToStderr(
      `${String(report.added.upload + report.skipped.upload)} uploads, ${roughSize(report.bytes)} so far`,
    )
  }
  let warnings: readonly string[] = []
  const print = () => {
    printResult(program, options, { ...jsonOf(report, findings, isDryRun), warnings }, () => [
      ...linesOf(report, findings, isDryRun),
      ...warnings.map((warning) => `warning: ${warning}`),
    ])
  }
  const isPartial = options.partial === true
  const runOptions = { report, findings, isPartial, now: clock.now(), onProgress }
  await open({ isDryRun, clock }, (target, importAll) =>
    withLinksFile(program, options.links, async (onRedirects) => {
      try {
        await importAll({ ...runOptions, target, onRedirects })
        warnings = await target.warnings(report)
      } catch (error) {
        print()
        program.printToStderr(
          isDryRun
            ? 'the dry run ended early:'
            : 'the import ended early; what was imported until then stays:',
        )
        throw error
      }
    }),
  )
  print()
  if (findings.hasLosses()) program.fail(1)
}

const jsonOf = (
  { added, skipped, restored, bytes, leftOut }: ServiceImportReport,
  { first, counts }: Findings,
  dryRun: boolean,
) => ({
  dryRun,
  added,
  skipped,
  restored,
  bytes,
  leftOut,
  counts: Object.fromEntries(counts),
  findings: first.map(({ kind, sourceId, file, detail }) => ({ kind, of: sourceId, file, detail })),
})

/** The most characters of a word, and of a text, in the table. */
const cell = { word: 60, text: 80 } as const

const columns: readonly Column<Finding>[] = [
  ['KIND', ({ kind }) => kind],
  ['USER OR UPLOAD', ({ sourceId }) => abbreviated(sourceId, cell) || '-'],
  ['FILE', ({ file }) => (file === null ? '-' : abbreviated(file, cell))],
  // With long names, a detail has one or two of them.
  ['DETAIL', ({ detail }) => abbreviated(detail, { word: cell.word, text: 3 * cell.text })],
]

function linesOf(
  report: ServiceImportReport,
  { first, counts }: Findings,
  isDryRun: boolean,
): readonly string[] {
  const { added, skipped, restored, bytes, leftOut } = report
  const ended = Object.entries(leftOut).filter(([, count]) => count > 0)
  const notShown = [...counts.values()].reduce((sum, count) => sum + count, 0) - first.length
  return [
    ...(first.length === 0
      ? []
      : [...table(columns, first), ...(notShown > 0 ? [`(${String(notShown)} more, see --limit)`] : []), '']),
    `${isDryRun ? 'would import' : 'imported'} ${formatTally(added)} (${roughSize(bytes)})`,
    `already present: ${formatTally(skipped)}`,
    ...(restored.files === 0
      ? []
      : [
          `${isDryRun ? 'would restore' : 'restored'} in the data store: ${formatCount(restored.files, 'file')} (${roughSize(restored.bytes)})`,
        ]),
    ...(ended.length === 0 ? [] : [`uploads left out: ${formatCounts(ended)}`]),
    ...(counts.size === 0 ? [] : [`needs attention: ${formatCounts([...counts])}`]),
    ...(leftOut.damaged === 0 ? [] : [repair]),
    ...(isDryRun ? ['nothing was changed'] : []),
  ]
}

const repair =
  'uploads with missing or damaged files can still be imported: bring the files back and run this again, or add --partial'

const formatCounts = (entries: readonly (readonly [string, number])[]): string =>
  entries.map(([name, count]) => `${String(count)} ${name}`).join(', ')
