import { roffItem, roffText } from '@svc/terminal'
import { exitMeanings } from '../errors/exit-codes.ts'
import type { Commands } from '../program/command.ts'
import type { Program } from '../program/program.ts'
import { version } from '../program/version.ts'
import { describeAll, optionUsage, type CommandDescription } from './describe.ts'
import { exampleLines } from './examples.ts'
import { environmentVariables, files, jsonOutput } from './environment.ts'

const commandSection = ({ usage, description, positionals, options }: CommandDescription): string[] => [
  `.SS ${roffText(usage)}`,
  `${roffText(description)}.`,
  ...positionals.flatMap((positional) => roffItem(positional.name, positional.description)),
  ...options.flatMap((option) => roffItem(optionUsage(option), option.description)),
]

/** The manual page svc(1), for `man`. */
export async function manual(commands: Commands, program: Program): Promise<string> {
  const all = await describeAll(commands, program)
  return [
    `.TH SVC 1 "" "svc ${version}" "User Commands"`,
    '.SH NAME',
    'svc \\- send files, get links, download them',
    '.SH SYNOPSIS',
    '.B svc',
    '[OPTIONS] FILE...',
    '.br',
    '.B svc',
    'COMMAND [OPTIONS] ...',
    '.SH COMMANDS',
    ...all.flatMap(commandSection),
    '.SH EXAMPLES',
    ...all.flatMap(({ name }) => ['.PP', '.EX', ...exampleLines(name).map(roffText), '.EE']),
    '.SH EXIT STATUS',
    ...exitMeanings.flatMap(([code, meaning]) => roffItem(String(code), meaning)),
    '.SH OUTPUT FOR SCRIPTS',
    ...jsonOutput.flatMap((text) => ['.PP', roffText(text)]),
    '.SH ENVIRONMENT',
    ...environmentVariables.flatMap(([name, meaning]) => roffItem(name, meaning)),
    '.SH FILES',
    ...files.flatMap(([name, meaning]) => roffItem(name, meaning)),
  ].join('\n')
}
