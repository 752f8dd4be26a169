import { resolve } from 'node:path'
import { roughSize, table, type Column } from '@svc/terminal'
import { withPlik } from '../composition/plik.ts'
import { CommandError } from '../domain/command-error.ts'
import { collectFindings, type Finding, type Findings } from '../import/plik/findings.ts'
import { importPlik } from '../import/plik/import.ts'
import { findPlik, type PlikInstallation } from '../import/plik/installation.ts'
import { noPlikImport, type PlikImportReport } from '../import/plik/run.ts'
import type { Program } from './base/program.ts'
import { readConfig } from './base/read-config.ts'
import { rowsOption } from './base/values.ts'
import { formatTally } from './terminal/formats.ts'
import { printResult } from './terminal/print-result.ts'

export interface PlikArguments {
  /** Plik's configuration file, or its database. */
  readonly file: string
  readonly config?: string | undefined
  readonly data?: string | undefined
  readonly limit?: string | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly 'in-place'?: boolean | undefined
  readonly partial?: boolean | undefined
  readonly json?: boolean | undefined
}

/** Milliseconds between two lines about the progress. */
const progressInterval = 10_000

/** `svcd import --from plik`: imports an installation of Plik, or continues an import that was interrupted. */
export async function importFromPlik(program: Program, options: PlikArguments): Promise<void> {
  const { clock } = program
  const isDryRun = options['dry-run'] === true
  const isPartial = options.partial === true
  const findings = collectFindings(rowsOption(options.limit))
  const report = noPlikImport()
  const installation = await installationOf(program, options)
  let reported = clock.now()
  const onProgress = () => {
    if (clock.now() - reported < progressInterval) return
    reported = clock.now()
    program.printToStderr(
      `${String(report.added.upload + report.skipped.upload)} uploads, ${roughSize(report.bytes)} so far`,
    )
  }
  const print = () => {
    printResult(program, options, jsonOf(report, findings, isDryRun), () =>
      linesOf(report, findings, isDryRun),
    )
  }
  const how = { installation, isDryRun, isInPlace: options['in-place'] === true, clock }
  await withPlik(readConfig(program, options.config), how, async (source, target) => {
    try {
      await importPlik({ source, target, report, findings, isPartial, now: clock.now(), onProgress })
    } catch (error) {
      print()
      program.printToStderr('the import ended early; what was imported until then stays:')
      throw error
    }
  })
  print()
  if (findings.hasLosses()) program.fail(1)
}

async function installationOf(
  { directory }: Program,
  { file, data }: PlikArguments,
): Promise<PlikInstallation> {
  if (file === '-')
    throw new CommandError('standard input cannot be an installation of Plik: name its configuration file')
  const found = await findPlik(file, directory)
  return data === undefined
    ? found
    : { ...found, files: { kind: 'directory', directory: resolve(directory, data) } }
}

const jsonOf = (
  { added, skipped, bytes, leftOut }: PlikImportReport,
  { first, counts }: Findings,
  dryRun: boolean,
) => ({
  dryRun,
  added,
  skipped,
  bytes,
  leftOut,
  counts: Object.fromEntries(counts),
  findings: first,
})

const columns: readonly Column<Finding>[] = [
  ['KIND', ({ kind }) => kind],
  ['USER OR UPLOAD', ({ of }) => of || '-'],
  ['FILE', ({ file }) => file ?? '-'],
  ['DETAIL', ({ detail }) => detail],
]

function linesOf(
  report: PlikImportReport,
  { first, counts }: Findings,
  isDryRun: boolean,
): readonly string[] {
  const { added, skipped, bytes, leftOut } = report
  const ended = Object.entries(leftOut).filter(([, count]) => count > 0)
  const notShown = [...counts.values()].reduce((sum, count) => sum + count, 0) - first.length
  return [
    ...(first.length === 0
      ? []
      : [...table(columns, first), ...(notShown > 0 ? [`(${String(notShown)} more, see --limit)`] : []), '']),
    `${isDryRun ? 'would import' : 'imported'} ${formatTally(added)} (${roughSize(bytes)})`,
    `already there: ${formatTally(skipped)}`,
    ...(ended.length === 0 ? [] : [`uploads left out: ${counted(ended)}`]),
    ...(counts.size === 0 ? [] : [`to look at: ${counted([...counts])}`]),
    ...(leftOut.damaged === 0 ? [] : [repair]),
    ...(isDryRun ? ['nothing was changed'] : []),
  ]
}

const repair =
  'uploads with missing or damaged files can still be imported: bring the files back and run this again, or add --partial'

const counted = (entries: readonly (readonly [string, number])[]): string =>
  entries.map(([name, count]) => `${String(count)} ${name}`).join(', ')
