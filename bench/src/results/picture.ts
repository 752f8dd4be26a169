import type { Comparison, Row } from './rows.ts'
import { ratioOf, targetResult } from './target.ts'

const width = 900
const rowHeight = 26
const labelWidth = 420
const barsWidth = width - labelWidth - 60
const top = 40
/** The ratio at the right edge: larger ones are cut, and their number says how large they are. */
const widest = 2.5

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2933 }
  .quiet { fill: #66788a; font-size: 11px }
  .line { stroke: #9fb3c8; stroke-dasharray: 3 3 }
  .met { fill: #2f9e6e } .missed { fill: #d9730d } .none { fill: #7b8fa3 }
  .spread { stroke: #1f2933; opacity: 0.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb } .quiet { fill: #9aa5b1 } .spread { stroke: #e4e7eb }
  }`

/**
 * The ratios as bars, with the range of the rounds, and a line where Svc equals its baseline.
 * @returns SVG
 */
export function drawPicture(rows: readonly Row[]): string {
  const comparisons = rows.filter((row) => row.kind === 'comparison')
  const height = top + comparisons.length * rowHeight + 10
  const equal = labelWidth + at(1)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" role="img" aria-label="Ratios to baselines">
<style>${style}
</style>
<text x="0" y="18">Svc beside its baselines, medians and ranges of the rounds</text>
<text class="quiet" x="${String(equal)}" y="${String(top - 6)}" text-anchor="middle">equal</text>
<line class="line" x1="${String(equal)}" x2="${String(equal)}" y1="${String(top)}" y2="${String(height - 6)}"/>
${comparisons.map(bar).join('\n')}
</svg>
`
}

/** Pixels from the left edge of the bars. */
const at = (ratio: number): number => Math.round((Math.min(ratio, widest) / widest) * barsWidth)

function bar(row: Comparison, index: number): string {
  const { middle, least, most } = ratioOf(row)
  const y = top + index * rowHeight
  const line = y + rowHeight / 2
  const label = escapeXml(`${row.what.replaceAll('`', '')} / ${row.baseline.name.replaceAll('`', '')}`)
  return [
    `<text x="0" y="${String(line + 4)}">${label}</text>`,
    `<rect class="${targetResult(row)}" x="${String(labelWidth)}" y="${String(y + 5)}" width="${String(at(middle))}" height="${String(rowHeight - 10)}" rx="3"/>`,
    `<line class="spread" x1="${String(labelWidth + at(least))}" x2="${String(labelWidth + at(most))}" y1="${String(line)}" y2="${String(line)}"/>`,
    `<text class="quiet" x="${String(width)}" y="${String(line + 4)}" text-anchor="end">${middle.toFixed(2)}</text>`,
  ].join('')
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
