import { printable } from './printable.ts'

/** A column of a table: its title, and what stands in it for a row. */
export type Column<Row> = readonly [title: string, cell: (row: Row) => string]

const widthOf = (text: string) => Array.from(text).length

/** Rows under titles. Nothing in them steers a terminal. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const lines = [
    columns.map(([title]) => title),
    ...rows.map((row) => columns.map(([, cell]) => printable(cell(row)))),
  ]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => widthOf(line[index] ?? ''))))
  return lines.map((line) =>
    line
      .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  )
}

/** Names and values, one a line. */
export function facts(entries: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length)) + 2
  return entries.map(([name, value]) => name.padEnd(width) + printable(value))
}
