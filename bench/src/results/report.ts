import { availableParallelism } from 'node:os'
import { median, rounds } from '../measure.ts'
import type { Measurement, Comparison, Row, Unit } from './rows.ts'
import { targetResult, ratioOf, type TargetResult } from './target.ts'

export interface Circumstances {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Bytes of a large file. */
  readonly size: number
}

const head = ['measured', 'Svc', 'baseline', 'ratio', 'target', '']
const alignment = ['---', '---:', '---:', '---:', '---:', '---']

/** The results as a table in Markdown. */
export function markdown(rows: readonly Row[], { at, size }: Circumstances): string {
  const machine = `${String(availableParallelism())} cores, Node ${process.version}`
  const lines = [head, alignment, ...rows.map(cells)].map((line) => `| ${line.join(' | ')} |`)
  return [
    `${new Date(at).toISOString().slice(0, 10)}, ${machine}; large files of ${String(size)} bytes; ` +
      `medians of ${String(rounds)} rounds, least and most of the ratios in brackets.`,
    '',
    ...lines,
  ].join('\n')
}

/** The results for a program. */
export const json = (rows: readonly Row[], circumstances: Circumstances): string =>
  `${JSON.stringify(
    {
      ...circumstances,
      cores: availableParallelism(),
      node: process.version,
      rows: rows.map((row) => ({
        ...row,
        ...(row.kind === 'comparison' && { ratio: ratioOf(row) }),
        targetResult: targetResult(row),
      })),
    },
    null,
    2,
  )}\n`

const labels: Readonly<Record<TargetResult, string>> = { met: 'met', missed: '**missed**', none: '' }

function cells(row: Row): readonly string[] {
  switch (row.kind) {
    case 'comparison':
      return [row.what, ...comparisonCells(row), labels[targetResult(row)]]
    case 'measurement':
      return [row.what, ...measurementCells(row), labels[targetResult(row)]]
    case 'unmeasured':
      return [row.what, `not measured: ${row.reason}`, '', '', '', labels[targetResult(row)]]
  }
}

function comparisonCells(row: Comparison): readonly string[] {
  const { middle, least, most } = ratioOf(row)
  return [
    quantity(median(row.ours), row.unit),
    `${quantity(median(row.baseline.measurements), row.unit)} ${row.baseline.name}`,
    `${middle.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`,
    row.atLeast === undefined ? '' : `≥ ${row.atLeast.toFixed(2)}`,
  ]
}

const measurementCells = ({ value, unit, atMost, atLeast }: Measurement): readonly string[] => [
  quantity(value, unit),
  '',
  '',
  formatBound(atMost, atLeast, unit),
]

const quantity = (value: number, unit: Unit): string =>
  `${value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })} ${unit}`

function formatBound(atMost: number | undefined, atLeast: number | undefined, unit: Unit): string {
  if (atMost !== undefined && atMost === atLeast) return `= ${String(atMost)} ${unit}`
  if (atMost !== undefined) return `≤ ${String(atMost)} ${unit}`
  return atLeast === undefined ? '' : `≥ ${String(atLeast)} ${unit}`
}
