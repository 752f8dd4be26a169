import { parseArgs } from 'node:util'
import type { ArgsDef } from 'citty'
import { UsageError } from './base/usage-error.ts'

/**
 * Checks that a command line has only arguments that its command takes: a typo must not be taken for a default.
 * @throws UsageError
 */
export function checkArguments(known: ArgsDef, given: readonly string[]): void {
  const places = Object.values(known).filter(({ type }) => type === 'positional').length
  const positionals = parsePositionals(known, given)
  const surplus = positionals.slice(places)
  if (surplus.length > 0) throw new UsageError(`unexpected: ${surplus.join(' ')}`)
}

function parsePositionals(known: ArgsDef, given: readonly string[]): readonly string[] {
  const options = Object.entries(known)
    .filter(([, { type }]) => type !== 'positional')
    .map(([name, { type }]) => [name, { type: type === 'boolean' ? 'boolean' : 'string' }] as const)
  try {
    const { positionals } = parseArgs({
      args: [...given],
      options: Object.fromEntries(options),
      allowPositionals: true,
      allowNegative: true,
    })
    return positionals
  } catch (cause) {
    const [reason = ''] = cause instanceof Error ? cause.message.split('. ') : []
    throw new UsageError(reason, { cause })
  }
}
