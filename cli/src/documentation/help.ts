import type { Commands } from '../command.ts'
import type { Program } from '../program.ts'
import { describeAll, describeCommand, optionUsage, type Described } from './describe.ts'

/** Two columns, the second one of which begins in the same place. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())
}

const section = (title: string, rows: readonly (readonly [string, string])[]): string[] =>
  rows.length === 0 ? [] : ['', `${title}:`, ...columns(rows)]

function commandHelp({ usage, description, positionals, options }: Described): string[] {
  return [
    `Usage: ${usage}`,
    '',
    description,
    ...section(
      'Arguments',
      positionals.map((one) => [one.name, one.description]),
    ),
    ...section(
      'Options',
      options.map((one) => [optionUsage(one), one.description]),
    ),
  ]
}

/** @param name of a command; undefined for all of them */
export async function helpText(
  commands: Commands,
  program: Program,
  name: string | undefined,
): Promise<string> {
  if (name !== undefined) return commandHelp(await describeCommand(commands, program, name)).join('\n')
  const all = await describeAll(commands, program)
  return [
    'Usage: svc [OPTIONS] FILE…    send files, print their links',
    '       svc COMMAND …',
    ...section(
      'Commands',
      all.map((command) => [command.name, command.description]),
    ),
    '',
    'svc COMMAND --help tells the options of a command; those of svc FILE… are those of svc upload.',
    'svc --version tells the version.',
  ].join('\n')
}
