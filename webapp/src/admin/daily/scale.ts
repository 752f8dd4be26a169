/** The vertical scale of a chart. */
export interface Scale {
  /** The value at the upper edge, at least the largest value. */
  readonly top: number
  /** Values of the grid lines, above 0 and rising. */
  readonly ticks: readonly number[]
}

/** Maximum number of grid lines. */
const maxTicks = 4

/**
 * A scale of integers in steps of 1, 2 or 5, times a power of ten.
 * @param largest at least 0
 */
export function scaleFor(largest: number): Scale {
  if (largest <= 0) return { top: 1, ticks: [] }
  const step = stepFor(largest / maxTicks)
  const count = Math.ceil(largest / step)
  return { top: count * step, ticks: Array.from({ length: count }, (_, index) => (index + 1) * step) }
}

function stepFor(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)))
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power
}

/** Minimum height of a bar, as a part of the chart's, so that small values stay visible. */
const minHeight = 0.015

/**
 * Bars for the values of days, as a path in a box of one unit for each day and a height of 1.
 * @param gap free part of a day's unit
 */
export function barsPath(values: readonly number[], top: number, gap: number): string {
  return values
    .map((value, index) => {
      if (value <= 0) return ''
      const height = Math.max(minHeight, Math.min(1, value / top))
      return `M${rounded(index + gap / 2)} 1v${rounded(-height)}h${rounded(1 - gap)}V1z`
    })
    .join('')
}

const rounded = (value: number): string => String(Math.round(value * 10_000) / 10_000)

/**
 * The day below a point of the chart.
 * @param along from 0 at the first day's beginning to 1 at the last one's end
 */
export const dayAt = (along: number, count: number): number =>
  Math.max(0, Math.min(count - 1, Math.floor(along * count)))
