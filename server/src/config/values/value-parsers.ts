import { resolve } from 'node:path'
import { unlimited, parseDuration, parseJson, parseSize } from '@svc/contract'

/** The values that a configuration key accepts, and their parser. */
export interface ValueParser<T> {
  /** Completes the sentence "the value must be …". */
  readonly expects: string
  /** Advice about an invalid value: completes "write …". */
  readonly hint?: string
  /**
   * @param input value from the file (any TOML value) or the environment (a string)
   * @param base absolute folder that relative paths start from
   * @returns undefined when the input is invalid
   */
  readonly parse: (input: unknown, base: string) => T | undefined
}

/** A text that another module interprets. If a key allows it, an empty text means "none". */
export const text: ValueParser<string> = {
  expects: 'a text',
  hint: 'it in quotes, on one line',
  parse: (input) => (typeof input === 'string' && !/\p{Cc}/u.test(input) ? input.trim() : undefined),
}

export const boolean: ValueParser<boolean> = {
  expects: '`true` or `false`',
  parse: (input) => {
    if (input === true || input === 'true') return true
    if (input === false || input === 'false') return false
    return undefined
  },
}

/** One of the given values. */
export function choice<const T extends string>(values: readonly T[]): ValueParser<T> {
  const quoted = values.map((value) => `\`${value}\``).join(', ')
  return {
    expects: values.length === 1 ? quoted : `one of ${quoted}`,
    parse: (input) => values.find((value) => value === input),
  }
}

/** A whole number within bounds, both included. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): ValueParser<number> {
  const bounds =
    max === Number.MAX_SAFE_INTEGER ? `of ${String(min)} or more` : `from ${String(min)} to ${String(max)}`
  return {
    expects: `a whole number ${bounds}`,
    parse: (input) => {
      const value = numberOrText(input)
      if (value === undefined || !/^\d{1,16}$/.test(value)) return undefined
      return within(Number(value), min, max)
    },
  }
}

const sizeExamples = 'for example `10 GB`, `10GiB` or `500000`'

/** Bytes, 0 included. */
export const size: ValueParser<number> = {
  expects: 'a size',
  hint: sizeExamples,
  parse: (input) => within(parsedWith(parseSize, input), 0, Number.MAX_SAFE_INTEGER),
}

/** Bytes, or -1. Zero is invalid: it looks like "no limit", but would refuse every byte. */
export const sizeLimit: ValueParser<number> = {
  expects: 'a size, not 0, or `unlimited`',
  hint: sizeExamples,
  parse: (input) => orUnlimited(parsedWith(parseSize, input), 1, Number.MAX_SAFE_INTEGER),
}

/** A budget; Infinity for none. */
export const budget: ValueParser<number> = {
  expects: 'a whole number, or `unlimited` (also `0`)',
  parse: (input) => (input === 'unlimited' ? Infinity : orInfinity(integer(0).parse(input, ''))),
}

/** A budget in bytes; Infinity for none. */
export const bytesBudget: ValueParser<number> = {
  expects: 'a size, or `unlimited` (also `0`)',
  hint: sizeExamples,
  parse: (input) => orInfinity(orUnlimited(parsedWith(parseSize, input), 0, Number.MAX_SAFE_INTEGER)),
}

/** A hundred years: the sum of this duration and the current time is still a valid date. */
const maxLifetime = 36_500 * 24 * 60 * 60

/**
 * A lifetime in seconds, or -1.
 * @param min minimum in seconds
 */
export function lifetime(min: 0 | 1): ValueParser<number> {
  const bounds = min === 0 ? 'of at most 100 years' : 'of 1 second to 100 years'
  return {
    expects: `a duration ${bounds}, or \`unlimited\``,
    hint: 'for example `12h` or `30d`',
    parse: (input) => orUnlimited(parsedWith(parseDuration, input), min, maxLifetime),
  }
}

/** Seconds, without `unlimited`. */
export const duration: ValueParser<number> = {
  expects: 'a duration of 1 second to 100 years',
  hint: 'for example `12h` or `30d`',
  parse: (input) => within(parsedWith(parseDuration, input), 1, maxLifetime),
}

/** Timers count milliseconds in 32 bits (24.8 days); a longer timer would fire at once. */
const maxTimer = 24 * 24 * 60 * 60

/**
 * A timeout in seconds.
 * @param min minimum in seconds
 */
export function timer(min: 0 | 1): ValueParser<number> {
  return {
    expects: `a duration of ${min === 0 ? '0 seconds' : '1 second'} to 24 days`,
    hint: 'for example `90s`, `5m` or `12h`',
    parse: (input) => within(parsedWith(parseDuration, input), min, maxTimer),
  }
}

const hour = 60 * 60

/** Interval of a rare job in seconds; 0 for never. */
export const schedule: ValueParser<number> = {
  expects: 'a duration of 1 hour to 366 days, or 0',
  hint: 'for example `1d` or `4w`',
  parse: (input) => {
    const seconds = parsedWith(parseDuration, input)
    return seconds === 0 ? 0 : within(seconds, hour, 366 * 24 * hour)
  },
}

/** An absolute path. */
export const path: ValueParser<string> = {
  expects: 'a path',
  parse: (input, base) => {
    const name = text.parse(input, base)
    return name === undefined || name === '' ? undefined : resolve(base, name)
  },
}

/** An absolute path, or an empty text for none. */
export const optionalPath: ValueParser<string> = {
  ...path,
  parse: (input, base) => (input === '' ? '' : path.parse(input, base)),
}

/** Forms of addresses of network databases, by driver. */
export const databaseAddress = {
  postgres: /^postgres(?:ql)?:\/\//,
  mysql: /^(?:mysql|mariadb):\/\//,
} as const

/** An address, SQLite's own names (`:memory:` and `file:` addresses) and a path, of which only a path becomes absolute. */
export const database: ValueParser<string> = {
  expects: 'a path, `:memory:`, or an address like `postgres://user:password@host/database`',
  parse: (input, base) => {
    const value = text.parse(input, base)
    if (value === ':memory:' || value?.startsWith('file:')) return value
    const isAddress = Object.values(databaseAddress).some((shape) => shape.test(value ?? ''))
    if (!isAddress) return path.parse(input, base)
    return URL.canParse(value ?? '') ? value : undefined
  },
}

/** A list of values of one kind. In the environment it is written as JSON. */
export function list<T>(kind: ValueParser<T>, plural: string, example: string): ValueParser<readonly T[]> {
  return {
    expects: `a list of ${plural}`,
    hint: `for example \`${JSON.stringify([example])}\`, which is JSON in a variable too`,
    parse: (input, base) => {
      const items = typeof input === 'string' ? parseJson(input) : input
      if (!Array.isArray(items)) return undefined
      const values = items
        .map((item: unknown) => kind.parse(item, base))
        .filter((value) => value !== undefined)
      return values.length === items.length ? values : undefined
    },
  }
}

function parsedWith(parse: (value: string) => number | undefined, input: unknown): number | undefined {
  const value = numberOrText(input)
  return value === undefined ? undefined : parse(value)
}

/** TOML integers beyond the safe range are big integers; as texts they are too long, so they are invalid. */
function numberOrText(input: unknown): string | undefined {
  if (typeof input === 'string') return input.trim()
  return typeof input === 'number' || typeof input === 'bigint' ? String(input) : undefined
}

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined
}

const orInfinity = (value: number | undefined): number | undefined =>
  value === 0 || value === unlimited ? Infinity : value

function orUnlimited(value: number | undefined, min: number, max: number): number | undefined {
  return value === unlimited ? unlimited : within(value, min, max)
}
