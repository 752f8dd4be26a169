import { printable } from './printable.ts'

/** A column of a table: its title, and the content of its cell in a row. */
export type Column<Row> = readonly [title: string, cell: (row: Row) => string | number]

/** Rows under titles, in columns with numbers aligned to the right. Their texts cannot control a terminal. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const cells = columns.map(([title, cell]) => {
    const values = rows.map(cell)
    const texts = [title, ...values.map((value) => printable(String(value)))]
    const width = Math.max(...texts.map(widthOf))
    const alignsRight = values.some((value) => typeof value === 'number')
    return texts.map((text) => aligned(text, width, alignsRight))
  })
  return [-1, ...rows.keys()].map((row) =>
    cells
      .map((column) => column[row + 1] ?? '')
      .join('  ')
      .trimEnd(),
  )
}

/** Names and values, one per line. */
export function facts(entries: readonly (readonly [name: string, value: string | number])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${printable(String(value))}`.trimEnd())
}

const widthOf = (text: string): number => Array.from(text).length

function aligned(text: string, width: number, alignsRight: boolean): string {
  const space = ' '.repeat(width - widthOf(text))
  return alignsRight ? space + text : text + space
}
