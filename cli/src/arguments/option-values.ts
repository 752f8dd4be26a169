import { limits, parseDuration, parseTypedSize } from '@svc/contract'
import { usageFailure } from '../errors/failure.ts'

/**
 * Seconds; -1 for unlimited.
 * @throws Failure
 */
export function parseDurationOption(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const seconds = parseDuration(value)
  if (seconds === undefined)
    throw usageFailure(
      `--${name} must be a duration such as 90s, 12h, 30d, 1d12h, or unlimited; not ${value}`,
    )
  return seconds
}

/**
 * Seconds; -1 for unlimited. Refuses 0, which elsewhere means the default of the server.
 * @throws Failure
 */
export function parseLifetimeOption(name: string, value: string | undefined): number | undefined {
  const seconds = parseDurationOption(name, value)
  if (seconds !== 0) return seconds
  throw usageFailure(`--${name} must be longer than 0`)
}

/** @throws Failure */
export function parseDownloadsOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const count = /^\d+$/.test(value) ? Number(value) : NaN
  if (count >= 1 && count <= limits.maxDownloads) return count
  throw usageFailure(`--downloads must be a number from 1 to ${String(limits.maxDownloads)}; not ${value}`)
}

/**
 * Bytes per second.
 * @throws Failure
 */
function parseRateOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const bytes = parseTypedSize(value)
  if (bytes === undefined)
    throw usageFailure(`--limit-rate must be bytes a second such as 500k or 2MB; not ${value}`)
  return bytes
}

/** @throws Failure */
function parseCountOption(
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
 * The number of connections for each large file.
 * @throws Failure
 */
export const parseJobsOption = (value: string | undefined): number =>
  parseCountOption('jobs', value, { min: 1, max: 16, fallback: 1 })

interface TransferArgs {
  readonly concurrency?: string | undefined
  readonly 'limit-rate'?: string | undefined
  readonly retries?: string | undefined
}

/**
 * The options of transfers; `rate` in bytes per second.
 * @throws Failure
 */
export const parseTransferOptions = (args: TransferArgs) => ({
  rate: parseRateOption(args['limit-rate']),
  concurrency: parseCountOption('concurrency', args.concurrency, { min: 1, max: 64, fallback: 4 }),
  // The server stores together what arrives at the same time: a disk syncs many small files as fast as one.
  smallConcurrency: parseCountOption('concurrency', args.concurrency, { min: 1, max: 64, fallback: 16 }),
  retries: parseCountOption('retries', args.retries, { min: 0, max: 1000, fallback: 10 }),
})

export type TransferOptions = ReturnType<typeof parseTransferOptions>
