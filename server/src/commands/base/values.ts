import {
  duration,
  integer,
  lifetime,
  sizeLimit,
  type ValueParser,
} from '../../config/values/value-parsers.ts'
import { network } from '../../config/values/web-value-parsers.ts'
import { defaultRows } from './common-arguments.ts'
import { UsageError } from './usage-error.ts'

/**
 * @param name name of the option
 * @throws UsageError
 */
function valueOf<Value>(kind: ValueParser<Value>, name: string, written: string): Value {
  const value = kind.parse(written, '')
  if (value !== undefined) return value
  const hint = kind.hint === undefined ? '' : `: ${kind.hint}`
  throw new UsageError(`--${name} must be ${kind.expects}${hint}`)
}

/** A limit of a user: `default` is 0, which takes the server's value (docs/protocol.md#user). */
const orDefault = (kind: ValueParser<number>): ValueParser<number> => ({
  expects: `${kind.expects}, or \`default\``,
  ...(kind.hint !== undefined && { hint: kind.hint }),
  parse: (input, base) => (input === 'default' ? 0 : kind.parse(input, base)),
})

const userSize = orDefault(sizeLimit)
const userLifetime = orDefault(lifetime(1))
const rows = integer(1, 100_000)

/**
 * Bytes, as `maxFileSize` and `maxUserSize` of a user.
 * @throws UsageError
 */
export const sizeOption = (name: string, written: string): number => valueOf(userSize, name, written)

/**
 * Seconds, as `maxTTL` of a user.
 * @throws UsageError
 */
export const lifetimeOption = (name: string, written: string): number => valueOf(userLifetime, name, written)

/**
 * Seconds.
 * @throws UsageError
 */
export const durationOption = (name: string, written: string): number => valueOf(duration, name, written)

/**
 * A network in CIDR notation, from a network or an address.
 * @throws UsageError
 */
export const networkOption = (name: string, written: string): string => valueOf(network, name, written)

/** @throws UsageError */
export const rowsOption = (written: string | undefined): number =>
  written === undefined ? defaultRows : valueOf(rows, 'limit', written)
