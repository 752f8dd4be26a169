import { median } from '../measure.ts'
import type { Comparison, Row } from './rows.ts'

export type TargetResult = 'met' | 'missed' | 'none'

export interface Ratio {
  readonly middle: number
  readonly least: number
  readonly most: number
}

/** Ratios by round: both values of a round were measured in turn, so a slow moment affects both. */
export function ratioOf({ ours, baseline }: Comparison): Ratio {
  const ratios = ours.map((measurement, round) => measurement / (baseline.measurements[round] ?? NaN))
  return { middle: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
}

/** Whether a row meets its target; `none` for a row without one. A case that was not measured counts as missed. */
export function targetResult(row: Row): TargetResult {
  switch (row.kind) {
    case 'comparison':
      if (row.atLeast === undefined) return 'none'
      return ratioOf(row).middle >= row.atLeast ? 'met' : 'missed'
    case 'measurement':
      if (row.atMost === undefined && row.atLeast === undefined) return 'none'
      return row.value <= (row.atMost ?? Infinity) && row.value >= (row.atLeast ?? 0) ? 'met' : 'missed'
    case 'unmeasured':
      return 'missed'
  }
}
