import type { ArgDef, CommandDef } from 'citty'
import { roffItem, roffText } from '@svc/terminal'
import { version } from '../core/status/describe-version.ts'
import { metaOf } from './base/descriptions.ts'
import type { Program } from './base/program.ts'
import { resolveLazy } from './base/resolve-lazy.ts'

export const man = (program: Program, root: CommandDef): CommandDef => ({
  meta: metaOf('man'),
  async run() {
    program.print(await manual(root))
  },
})

/** What the exit statuses mean. */
const exitStatuses = [
  ['0', 'The command succeeded.'],
  ['1', 'The command failed; the message says why.'],
  ['2', 'The command line or the configuration is invalid.'],
] as const

const files = [
  ['svcd.toml', 'The configuration in the working directory, unless --config names another file.'],
  ['/etc/svcd.toml', 'The configuration of the Debian package.'],
  ['/var/lib/svcd', 'The database and the files of the Debian package.'],
] as const

const environment = [
  ['SVCD_…', 'Each key of the configuration has a variable: SVCD_LISTEN_PORT is ListenPort.'],
] as const

/** The manual page svcd(8), for `man`. */
async function manual(root: CommandDef): Promise<string> {
  return [
    `.TH SVCD 8 "" "svcd ${version}" "System Administration"`,
    '.SH NAME',
    'svcd \\- server for temporary file uploads',
    '.SH SYNOPSIS',
    '.B svcd',
    'COMMAND [OPTIONS] ...',
    '.SH COMMANDS',
    ...(await sections('svcd', root)),
    '.SH EXIT STATUS',
    ...exitStatuses.flatMap(([status, meaning]) => roffItem(status, meaning)),
    '.SH FILES',
    ...files.flatMap(([name, meaning]) => roffItem(name, meaning)),
    '.SH ENVIRONMENT',
    ...environment.flatMap(([name, meaning]) => roffItem(name, meaning)),
    '.SH SEE ALSO',
    'svc(1)',
  ].join('\n')
}

/** A section for each command that runs, in the order of the help. */
async function sections(name: string, { subCommands, meta, args }: CommandDef): Promise<readonly string[]> {
  const commands = Object.entries((await resolveLazy(subCommands)) ?? {})
  if (commands.length > 0) {
    const all = await Promise.all(
      commands.map(async ([own, lazy]) => sections(`${name} ${own}`, await resolveLazy(lazy))),
    )
    return all.flat()
  }
  const known = Object.entries((await resolveLazy(args)) ?? {})
  const positionals = known.filter(([, { type }]) => type === 'positional')
  const options = known.filter(([, { type }]) => type !== 'positional')
  const usage = [
    name,
    ...positionals.map(([own, { required }]) => (required === false ? `[${upper(own)}]` : upper(own))),
    ...(options.length > 0 ? ['[OPTIONS]'] : []),
  ]
  return [
    `.SS ${roffText(usage.join(' '))}`,
    `${roffText((await resolveLazy(meta))?.description ?? '')}.`,
    ...positionals.flatMap(([own, { description }]) => roffItem(upper(own), `${description ?? ''}.`)),
    ...options.flatMap(([own, option]) => roffItem(optionUsage(own, option), `${option.description ?? ''}.`)),
  ]
}

const upper = (name: string) => name.toUpperCase()

function optionUsage(name: string, { type, valueHint, ...rest }: ArgDef): string {
  if (type === 'boolean') return `--${name}`
  const values = 'options' in rest ? rest.options?.join('|') : undefined
  return `--${name} ${valueHint ?? values ?? 'VALUE'}`
}
