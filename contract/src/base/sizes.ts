import { unlimited } from './limits.ts'

interface Unit {
  readonly name: string
  readonly bytes: number
}

/** Largest first. Exabytes exceed the range of safe integers. */
const decimalUnits: readonly Unit[] = [
  { name: 'PB', bytes: 1e15 },
  { name: 'TB', bytes: 1e12 },
  { name: 'GB', bytes: 1e9 },
  { name: 'MB', bytes: 1e6 },
  { name: 'kB', bytes: 1e3 },
]
const binaryUnits: readonly Unit[] = [
  { name: 'PiB', bytes: 2 ** 50 },
  { name: 'TiB', bytes: 2 ** 40 },
  { name: 'GiB', bytes: 2 ** 30 },
  { name: 'MiB', bytes: 2 ** 20 },
  { name: 'KiB', bytes: 2 ** 10 },
]
const byteUnit: Unit = { name: 'B', bytes: 1 }

/** Computed for each call: a module without work on import is left out of bundles that do not use it. */
const unitNamed = (name: string): Unit | undefined =>
  [...decimalUnits, ...binaryUnits, byteUnit].find((unit) => unit.name.toLowerCase() === name.toLowerCase())

/** A number of bytes that may not be whole. */
interface Quotient {
  readonly dividend: bigint
  readonly divisor: bigint
}

const sizeText = /^(\d{1,16})(?:\.(\d{1,15}))?\s*([a-z]{1,3})?$/i

/** Big integers, because fractions such as `0.1` have no exact floating-point value. */
function quotientIn(text: string, unitOf: (name: string) => Unit | undefined): Quotient | undefined {
  const match = sizeText.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = '', unitName = byteUnit.name] = match
  const unit = unitOf(unitName)
  if (unit === undefined) return undefined
  return { dividend: BigInt(whole + fraction) * BigInt(unit.bytes), divisor: 10n ** BigInt(fraction.length) }
}

function safe(bytes: bigint): number | undefined {
  const number = Number(bytes)
  return Number.isSafeInteger(number) ? number : undefined
}

/**
 * Reads a size as people write it in configurations (1 GB = 1,000,000,000 bytes): `500000`, `10 GB`, `10GiB`, `1.5 GB`,
 * `unlimited`, `-1`. Units ignore case.
 * @returns bytes, a safe integer; -1 for unlimited; undefined when the text is not a size, or not a whole number of bytes
 */
export function parseSize(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed === '-1' || trimmed.toLowerCase() === 'unlimited') return unlimited
  const size = quotientIn(trimmed, unitNamed)
  if (size === undefined || size.dividend % size.divisor !== 0n) return undefined
  return safe(size.dividend / size.divisor)
}

/**
 * Reads a number of bytes as people type it in commands: a size whose unit may lack its `B` (`500k` is 500 kB, `2Mi` is
 * 2 MiB). Bytes are rounded, and there is always a limit.
 * @returns bytes, a safe integer above 0; undefined when the text is none
 */
export function parseTypedSize(text: string): number | undefined {
  const size = quotientIn(text.trim(), (name) => unitNamed(name) ?? unitNamed(`${name}B`))
  if (size === undefined) return undefined
  const rounded = safe((2n * size.dividend + size.divisor) / (2n * size.divisor))
  return rounded === 0 ? undefined : rounded
}

/**
 * Formats a size so that `parseSize` returns the same number: `10 GB`, `1 GiB`, `1.5 GB`, `1234567 B`.
 * @param bytes a whole number of bytes, or a negative one for unlimited
 */
export function formatSize(bytes: number): string {
  if (bytes < 0) return 'unlimited'
  const decimal = largestWithin(decimalUnits, bytes)
  const binary = largestWithin(binaryUnits, bytes)
  const whole = [decimal, binary].find((unit) => bytes % unit.bytes === 0)
  if (whole !== undefined && whole !== byteUnit) return inUnit(bytes, whole)
  if (bytes % (decimal.bytes / 1000) === 0) return inUnit(bytes, decimal)
  return inUnit(bytes, byteUnit)
}

function largestWithin(units: readonly Unit[], bytes: number): Unit {
  return units.find((unit) => unit.bytes <= bytes) ?? byteUnit
}

function inUnit(bytes: number, unit: Unit): string {
  return `${String(bytes / unit.bytes)} ${unit.name}`
}
