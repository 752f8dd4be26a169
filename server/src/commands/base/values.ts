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
function valueOf<Value>(kind: ValueParser<Value>, name: string, text: string): Value {
  const value = kind.parse(text, '')
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
export const sizeOption = (name: string, text: string): number => valueOf(userSize, name, text)

/**
 * Seconds, as `maxTTL` of a user.
 * @throws UsageError
 */
export const lifetimeOption = (name: string, text: string): number => valueOf(userLifetime, name, text)

/**
 * Seconds.
 * @throws UsageError
 */
export const durationOption = (name: string, text: string): number => valueOf(duration, name, text)

/**
 * A network in CIDR notation, from a network or an address.
 * @throws UsageError
 */
export const networkOption = (name: string, text: string): string => valueOf(network, name, text)

/** @throws UsageError */
export const rowsOption = (text: string | undefined): number =>
  text === undefined ? defaultRows : valueOf(rows, 'limit', text)
