import { directionOf } from '@svc/contract'

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size in SI units (docs/protocol.md#limits): 1 MB is 1,000,000 bytes. */
export function formatSize(bytes: number, language: string): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), sizeUnits.length - 1)
  const value = bytes / 1000 ** power
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: sizeUnits[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  })
  const words = format.format(value)
  // Isolated (FSI, PDI), because “kB 30” would stand there.
  return directionOf(language) === 'rtl' ? `\u2068${words}\u2069` : words
}

const steps = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const

/**
 * A length of time in its two largest units: "2 days 3 hours", "1 minute 5 seconds", "0 seconds".
 * @param seconds at least 0; fractions are dropped
 */
export function formatDuration(seconds: number, language: string): string {
  let rest = Math.max(0, Math.floor(seconds))
  const first = steps.findIndex((step) => rest >= step.seconds)
  const used = first === -1 ? steps.slice(-1) : steps.slice(first, first + 2)
  const parts = used.flatMap(({ unit, seconds: length }, index) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count === 0 && (index > 0 || used.length > 1)) return []
    return [new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)]
  })
  return parts.join(' ')
}

/** The part of a unit by which a rough length of time may be too long: an upload of 30 days has them for its first hour. */
const roughness = 0.05

/**
 * A length of time in its largest unit alone: "30 days".
 * @param seconds at least 0
 */
export function formatRoughDuration(seconds: number, language: string): string {
  const units = (length: number) => Math.floor(Math.max(0, seconds) / length + roughness)
  const { unit, seconds: length } = steps.find((step) => units(step.seconds) > 0) ?? steps[3]
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(units(length))
}

/** The units of which a small part may be missing. */
const roundedSteps = steps.filter(({ unit }) => unit === 'day' || unit === 'hour')

/**
 * The time until something expires, in its two largest units: "29 days 22 hours". In its first hour, an upload of 30 days has 30 days
 * left, as its sender chose.
 * @param seconds at least 0
 */
export function formatTimeLeft(seconds: number, language: string): string {
  const step = roundedSteps.find(({ seconds: length }) => seconds > length * (1 - roughness))
  if (step === undefined) return formatDuration(seconds, language)
  const rounded = Math.ceil(seconds / step.seconds) * step.seconds
  const isNearly = rounded - seconds < step.seconds * roughness
  return formatDuration(isNearly ? rounded : seconds, language)
}

/** A date and time in short form. */
export function formatShortDateTime(date: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}

/** A date and time in long form. */
export function formatDateTime(date: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(date)
}

/**
 * A day in UTC, the same in every time zone.
 * @param day such as 2026-11-21
 */
export function formatUtcDay(day: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}

/** A part of a whole, from 0 to 1: "34%". */
export const formatShare = (part: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(part)

/** Maximum number of names in a list. */
const namesInList = 10

/** A list of names, shortened to the first ones. Each is isolated, so that its direction does not affect others (FSI, PDI). */
export function formatList(names: readonly string[], language: string): string {
  const shown = names.slice(0, namesInList).map((name) => `\u2068${name}\u2069`)
  const format = new Intl.ListFormat(language, { type: 'unit', style: 'short' })
  return format.format(names.length > namesInList ? [...shown, '…'] : shown)
}
