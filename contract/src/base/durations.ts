import { unlimited } from './limits.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const week = 7 * day

const part = (unit: string): string => `(?:(\\d{1,16})\\s*${unit}\\s*)?`
const durationText = new RegExp(`^${['w', 'd', 'h', 'm', 's'].map(part).join('')}$`, 'i')
const secondsOfPart = [week, day, hour, minute, 1] as const

/**
 * Reads a duration as people write it in configurations, commands and quick uploads: whole seconds (`3600`) or `90s`,
 * `5m`, `12h`, `30d`, `1w`, `1d12h`: each unit at most once, the larger one first. Units ignore case. `unlimited` and
 * anything negative mean no limit. Safe for untrusted text: it does not throw, and its work is bounded by the length.
 * @returns seconds, a safe integer; -1 for no limit; undefined when the text is not a duration
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.toLowerCase() === 'unlimited') return unlimited
  if (!trimmed.startsWith('-')) return parseMagnitude(trimmed)
  const magnitude = parseMagnitude(trimmed.slice(1))
  if (magnitude === undefined) return undefined
  return magnitude === 0 ? 0 : unlimited
}

function parseMagnitude(text: string): number | undefined {
  if (/^\d{1,16}$/.test(text)) return safe(Number(text))
  const match = text === '' ? null : durationText.exec(text)
  if (match === null) return undefined
  return safe(secondsOfPart.reduce((sum, seconds, index) => sum + Number(match[index + 1] ?? 0) * seconds, 0))
}

/** Rounding cannot make an unsafe number safe, so the check can follow the arithmetic. */
function safe(seconds: number): number | undefined {
  return Number.isSafeInteger(seconds) ? seconds : undefined
}

/**
 * Formats a duration so that `parseDuration` returns the same number: `30d`, `1d12h`, `90s` as `1m30s`.
 * @param seconds a whole number of seconds, or a negative one for no limit
 */
export function formatDuration(seconds: number): string {
  if (seconds < 0) return 'unlimited'
  if (seconds === 0) return '0s'
  const parts = [
    [Math.floor(seconds / day), 'd'],
    [Math.floor((seconds % day) / hour), 'h'],
    [Math.floor((seconds % hour) / minute), 'm'],
    [seconds % minute, 's'],
  ] as const
  return parts.map(([count, unit]) => (count === 0 ? '' : `${String(count)}${unit}`)).join('')
}
