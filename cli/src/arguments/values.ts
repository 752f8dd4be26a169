import { limits, parseDuration, parseTypedSize } from '@svc/contract'
import { usageFailure } from '../errors/failure.ts'

/**
 * Seconds; -1 for unlimited.
 * @throws Failure
 */
export function durationOption(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const seconds = parseDuration(value)
  if (seconds === undefined)
    throw usageFailure(
      `--${name} must be a duration such as 90s, 12h, 30d, 1d12h, or unlimited; not ${value}`,
    )
  return seconds
}

/**
 * Seconds, where 0 does not mean the default of the server; -1 for unlimited.
 * @throws Failure
 */
export function lifetimeOption(name: string, value: string | undefined): number | undefined {
  const seconds = durationOption(name, value)
  if (seconds !== 0) return seconds
  throw usageFailure(`--${name} must be longer than 0`)
}

/** @throws Failure */
export function downloadsOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const count = /^\d+$/.test(value) ? Number(value) : NaN
  if (count >= 1 && count <= limits.maxDownloads) return count
  throw usageFailure(`--downloads must be a number from 1 to ${String(limits.maxDownloads)}; not ${value}`)
}

/**
 * Bytes a second.
 * @throws Failure
 */
function rateOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const bytes = parseTypedSize(value)
  if (bytes === undefined)
    throw usageFailure(`--limit-rate must be bytes a second such as 500k or 2MB; not ${value}`)
  return bytes
}

/** @throws Failure */
function countOption(
  name: string,
  value: string | undefined,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: number },
): number {
  if (value === undefined) return fallback
  const count = /^\d{1,4}$/.test(value) ? Number(value) : NaN
  if (count >= min && count <= max) return count
  throw usageFailure(`--${name} must be a number from ${String(min)} to ${String(max)}; not ${value}`)
}

/**
 * Connections for one file.
 * @throws Failure
 */
export const jobsOption = (value: string | undefined): number =>
  countOption('jobs', value, { min: 1, max: 16, fallback: 1 })

interface TransferArguments {
  readonly concurrency?: string | undefined
  readonly 'limit-rate'?: string | undefined
  readonly retries?: string | undefined
}

/**
 * Options of transfers, with a rate in bytes per second.
 * @throws Failure
 */
export const transferOptions = (given: TransferArguments) => ({
  rate: rateOption(given['limit-rate']),
  concurrency: countOption('concurrency', given.concurrency, { min: 1, max: 64, fallback: 4 }),
  // The server stores together what arrives at the same time: a disk syncs many small files as fast as one.
  smallConcurrency: countOption('concurrency', given.concurrency, { min: 1, max: 64, fallback: 16 }),
  retries: countOption('retries', given.retries, { min: 0, max: 1000, fallback: 10 }),
})

export type TransferOptions = ReturnType<typeof transferOptions>
