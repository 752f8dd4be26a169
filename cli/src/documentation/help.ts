import type { Commands } from '../program/command.ts'
import type { Program } from '../program/program.ts'
import { describeAll, describeCommand, optionUsage, type CommandDescription } from './describe.ts'

/** Wraps a text at a column, between words. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines.push(`${String(lines.pop())} ${word}`)
    else lines.push(word)
  }
  return lines
}

/** Columns. With fewer, the right column is written below the left one. */
const minRightWidth = 20
const indent = 6

/** Two columns, of which the right one is aligned. */
function twoColumns(rows: readonly (readonly [left: string, right: string])[], width: number): string[] {
  const rightColumn = 2 + Math.max(...rows.map(([left]) => left.length)) + 2
  const isBelow = width - rightColumn < minRightWidth
  const start = isBelow ? indent : rightColumn
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, width - start).map((line) => ' '.repeat(start) + line)
    const [first = '', ...rest] = lines
    return isBelow ? [`  ${left}`, ...lines] : [`  ${left}${first.slice(2 + left.length)}`.trimEnd(), ...rest]
  })
}

type Rows = readonly (readonly [string, string])[]

const section = (title: string, rows: Rows, width: number): string[] =>
  rows.length === 0 ? [] : ['', `${title}:`, ...twoColumns(rows, width)]

function commandHelp(
  { usage, description, positionals, options }: CommandDescription,
  width: number,
): string[] {
  return [
    `Usage: ${usage}`,
    '',
    ...wrapped(description, width),
    ...section(
      'Arguments',
      positionals.map((positional) => [positional.name, positional.description]),
      width,
    ),
    ...section(
      'Options',
      options.map((option) => [optionUsage(option), option.description]),
      width,
    ),
  ]
}

/** @param name name of a command; undefined for all commands */
export async function helpText(
  commands: Commands,
  program: Program,
  name: string | undefined,
): Promise<string> {
  // Output to a pipe is not wrapped.
  const width = program.output.columns ?? Infinity
  if (name !== undefined) return commandHelp(await describeCommand(commands, program, name), width).join('\n')
  const all = await describeAll(commands, program)
  return [
    'Usage: svc [OPTIONS] FILE…    send files, print their links',
    '       svc COMMAND …',
    ...section(
      'Commands',
      all.map((command) => [command.name, command.description]),
      width,
    ),
    '',
    ...wrapped(
      'svc COMMAND --help shows the options of a command; svc FILE… takes those of svc upload.',
      width,
    ),
    'svc --version prints the version.',
  ].join('\n')
}
