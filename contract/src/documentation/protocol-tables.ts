import { errorCodes } from '../base/codes.ts'
import type { Content, Endpoint } from '../endpoints/endpoint.ts'
import { endpoints } from '../endpoints/index.ts'

/** The tables of docs/protocol.md that are generated from the contract, by the names of their markers. */
export const protocolTables = { endpoints: endpointTable, errors: errorTable } as const

/**
 * A table of the endpoints of each group, below a heading.
 * @returns Markdown
 */
function endpointTable(): string {
  const byPath = Object.values<Endpoint>(endpoints).toSorted(
    (a, b) => compare(a.path, b.path) || methods.indexOf(a.method) - methods.indexOf(b.method),
  )
  const groups = Map.groupBy(byPath, ({ tag }) => tag)
  return [...groups].map(([tag, group]) => `### ${tag}\n\n${table(columns, group.map(row))}`).join('\n\n')
}

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

const columns = ['method', 'path', 'chain', 'summary', 'response']

const row = ({ method, path, chain, summary, response, success }: Endpoint): readonly string[] => [
  method,
  `\`${path}\``,
  `\`${chain}\``,
  summary,
  [success, contentName(response)].filter((part) => part !== undefined).join(', '),
]

function contentName(content: Content): string {
  if (content.type !== 'application/json') return content.type === 'none' ? 'no body' : content.type
  const { title } = content.schema as { readonly title?: string }
  return title ?? 'JSON'
}

/**
 * The stable error codes of each status.
 * @returns Markdown
 */
function errorTable(): string {
  const codes = Map.groupBy(Object.entries(errorCodes), ([, status]) => status)
  const rows = [...codes].map(([status, group]) => [
    String(status),
    group.map(([code]) => `\`${code}\``).join(', '),
  ])
  return table(['status', 'codes'], rows)
}

/** A Markdown table as Prettier formats it. */
function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((head, column) =>
    Math.max(head.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  )
  const formatRow = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [
    formatRow(headings),
    formatRow(widths.map((width) => '-'.repeat(width))),
    ...rows.map(formatRow),
  ].join('\n')
}

/**
 * Replaces the text between the markers of each table.
 * @param text docs/protocol.md
 * @returns the text with current tables
 */
export function withProtocolTables(text: string): string {
  return Object.entries(protocolTables).reduce((document, [name, make]) => {
    const marked = new RegExp(`(<!-- ${name}: .*? -->\\n)[^]*?(<!-- /${name} -->)`)
    return document.replace(marked, (_all, begin: string, end: string) => `${begin}\n${make()}\n\n${end}`)
  }, text)
}
