export { printable, printableJson } from './printable.ts'
export { roughSize } from './rough-size.ts'
export type { Column } from './table.ts'
export { facts, table } from './table.ts'
