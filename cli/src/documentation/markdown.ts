import { exitMeanings } from '../errors/exit-codes.ts'
import type { Commands } from '../program/command.ts'
import type { Program } from '../program/program.ts'
import { describeAll, optionUsage, type CommandDescription } from './describe.ts'
import { exampleLines } from './examples.ts'
import { environmentVariables, files, jsonOutput } from './environment.ts'

const cell = (text: string) => text.replaceAll('|', '\\|')

const tableOf = (
  titles: readonly [string, string],
  rows: readonly (readonly [string, string])[],
): string[] => [
  `| ${titles[0]} | ${titles[1]} |`,
  '| --- | --- |',
  ...rows.map(([left, right]) => `| ${cell(left)} | ${cell(right)} |`),
  '',
]

function section({ name, usage, description, positionals, options }: CommandDescription): string[] {
  const rows = [
    ...positionals.map((positional) => [`\`${positional.name}\``, positional.description] as const),
    ...options.map((option) => [`\`${optionUsage(option)}\``, option.description] as const),
  ]
  return [
    `## svc ${name}`,
    '',
    `${description}.`,
    '',
    '```',
    usage,
    '```',
    '',
    '<!-- tested: cli/test/process/documented-commands.test.ts -->',
    '',
    '```sh',
    ...exampleLines(name),
    '```',
    '',
    ...(rows.length === 0 ? [] : tableOf(['argument', 'meaning'], rows)),
  ]
}

/** docs/cli.md, from the same definitions that the program runs by. */
export async function markdown(commands: Commands, program: Program): Promise<string> {
  const all = await describeAll(commands, program)
  return [
    '# svc, the command-line client',
    '',
    '<!-- Written by scripts/docs/cli.ts from the commands themselves. -->',
    '',
    '`svc FILE…` sends files and prints their links. Everything else is a command.',
    'In the examples, LINK is the link of an upload, FILE and ARCHIVE are links of files, and REQUEST is that of an upload request.',
    '',
    ...all.flatMap(section),
    '## Exit status',
    '',
    ...tableOf(
      ['status', 'meaning'],
      exitMeanings.map(([code, meaning]) => [String(code), meaning]),
    ),
    '## Output for scripts',
    '',
    ...jsonOutput.flatMap((text) => [text, '']),
    '## Environment',
    '',
    ...tableOf(
      ['variable', 'meaning'],
      environmentVariables.map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    '## Files',
    '',
    ...tableOf(
      ['file', 'meaning'],
      files.map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
  ].join('\n')
}
