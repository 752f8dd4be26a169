import { parseArgs } from 'node:util'
import type { ArgsDef } from 'citty'
import { UsageError } from './base/usage-error.ts'

/**
 * Checks that a command takes all arguments of its command line: a misspelled option must not be ignored, and neither must the
 * first of two values.
 * @throws UsageError
 */
export function checkArguments(known: ArgsDef, commandLine: readonly string[]): void {
  const maxPositionals = Object.values(known).filter(({ type }) => type === 'positional').length
  const positionals = parsePositionals(known, commandLine)
  const surplus = positionals.slice(maxPositionals)
  if (surplus.length > 0) throw new UsageError(`unexpected argument: ${surplus.join(' ')}`)
}

function parsePositionals(known: ArgsDef, commandLine: readonly string[]): readonly string[] {
  const options = Object.entries(known)
    .filter(([, { type }]) => type !== 'positional')
    .map(([name, { type }]) => [name, { type: type === 'boolean' ? 'boolean' : 'string' }] as const)
  try {
    const { positionals, tokens } = parseArgs({
      args: [...commandLine],
      options: Object.fromEntries(options),
      allowPositionals: true,
      allowNegative: true,
      tokens: true,
    })
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const repeated = names.find((name, index) => names.indexOf(name) < index)
    if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice`)
    return positionals
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    const [reason = ''] = cause instanceof Error ? cause.message.split(/\.\s/) : []
    throw new UsageError(reason, { cause })
  }
}
