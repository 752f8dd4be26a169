import { errorCodes } from './codes.ts'
import type { Content, Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints/index.ts'

/** The tables of docs/protocol.md that follow from the contract, by the name of their markers. */
export const protocolTables = { endpoints: endpointTable, errors: errorTable } as const

/** Every endpoint with its chain, below a heading for each group. @returns Markdown */
function endpointTable(): string {
  const byPath = Object.values<Endpoint>(endpoints).toSorted(
    (a, b) => order(a.path, b.path) || methods.indexOf(a.method) - methods.indexOf(b.method),
  )
  const groups = Map.groupBy(byPath, ({ tag }) => tag)
  return [...groups].map(([tag, group]) => `### ${tag}\n\n${table(columns, group.map(row))}`).join('\n\n')
}

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const order = (a: string, b: string): number => Number(a > b) - Number(a < b)

const columns = ['method', 'path', 'chain', 'what it does', 'response']

const row = ({ method, path, chain, summary, response: answer, success }: Endpoint): readonly string[] => [
  method,
  `\`${path}\``,
  `\`${chain}\``,
  summary,
  [success, nameOf(answer)].filter((part) => part !== undefined).join(', '),
]

function nameOf(content: Content): string {
  if (content.type !== 'application/json') return content.type === 'none' ? 'no body' : content.type
  const { title } = content.schema as { readonly title?: string }
  return title ?? 'JSON'
}

/** The stable codes of errors, below their status. @returns Markdown */
function errorTable(): string {
  const codes = Map.groupBy(Object.entries(errorCodes), ([, status]) => status)
  const rows = [...codes].map(([status, group]) => [
    String(status),
    group.map(([code]) => `\`${code}\``).join(', '),
  ])
  return table(['status', 'codes'], rows)
}

/** A table as Prettier formats it. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** Replaces what stands between the markers of each table. @param text docs/protocol.md @returns the same with current tables */
export function withProtocolTables(text: string): string {
  return Object.entries(protocolTables).reduce((document, [name, make]) => {
    const marked = new RegExp(`(<!-- ${name}: .*? -->\\n)[^]*?(<!-- /${name} -->)`)
    return document.replace(marked, (_all, begin: string, end: string) => `${begin}\n${make()}\n\n${end}`)
  }, text)
}
