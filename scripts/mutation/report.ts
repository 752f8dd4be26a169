/** A position in a source: line and column count from 1. */
interface Position {
  readonly line: number
  readonly column: number
}

interface Mutant {
  readonly mutatorName: string
  readonly replacement: string
  readonly status: string
  readonly location: { readonly start: Position; readonly end: Position }
}

/** What is used of Stryker's report (mutation-testing-report-schema). */
export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}

/** Lines of a change that are shown: its first ones. */
const maxLines = 8

/** Lists the mutants that no test notices, in the order of the source, and the score. */
export const describeReport = ({ files }: Report): string =>
  Object.entries(files)
    .map(([file, { source, mutants }]) =>
      [
        ...mutants
          .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
          .sort((a, b) => a.location.start.line - b.location.start.line)
          .map((mutant) => describeMutant(file, source.split('\n'), mutant)),
        describeScore(file, mutants),
      ].join('\n\n'),
    )
    .join('\n\n')

function describeMutant(file: string, lines: readonly string[], mutant: Mutant): string {
  const { start, end } = mutant.location
  const before = lines.slice(start.line - 1, end.line)
  const head = (before[0] ?? '').slice(0, start.column - 1)
  const tail = (before.at(-1) ?? '').slice(end.column - 1)
  const after = `${head}${mutant.replacement}${tail}`.split('\n')
  const reason = mutant.status === 'NoCoverage' ? 'no test runs this' : 'all tests pass'
  return [
    `${file}:${String(start.line)}:${String(start.column)} ${mutant.mutatorName}, ${reason}`,
    ...linesWithSign('-', before),
    ...linesWithSign('+', after),
  ].join('\n')
}

const linesWithSign = (sign: string, lines: readonly string[]) => [
  ...lines.slice(0, maxLines).map((line) => `  ${sign} ${line}`),
  ...(lines.length > maxLines ? [`  ${sign} … ${String(lines.length - maxLines)} more lines`] : []),
]

function describeScore(file: string, mutants: readonly Mutant[]): string {
  const count = (...statuses: readonly string[]) =>
    mutants.filter(({ status }) => statuses.includes(status)).length
  const detected = count('Killed', 'Timeout')
  const undetected = count('Survived', 'NoCoverage')
  const total = detected + undetected
  const score = total === 0 ? '' : ` (${((100 * detected) / total).toFixed(1)} %)`
  const timeouts = count('Timeout')
  return [
    `${file}: tests detect ${String(detected)} of ${String(total)} mutants${score}`,
    ...(timeouts === 0 ? [] : [`${String(timeouts)} of them by running too long`]),
    ...(count('NoCoverage') === 0 ? [] : [`${String(count('NoCoverage'))} are in code that no test runs`]),
  ].join('; ')
}
