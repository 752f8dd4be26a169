import { parseDuration } from '../output/durations.ts'
import { parseSize } from '../output/sizes.ts'
import { usageFailure } from '../failure.ts'

/** Seconds; -1 for unlimited. @throws Failure */
export function ttlOption(written: string | undefined): number | undefined {
  if (written === undefined) return undefined
  const seconds = parseDuration(written)
  if (seconds === undefined)
    throw usageFailure(`--ttl must be a duration such as 90s, 12h, 30d, 1d12h, or unlimited; not ${written}`)
  return seconds
}

/** Bytes a second. @throws Failure */
export function rateOption(written: string | undefined): number | undefined {
  if (written === undefined) return undefined
  const bytes = parseSize(written)
  if (bytes === undefined)
    throw usageFailure(`--limit-rate must be bytes a second such as 500k or 2MB; not ${written}`)
  return bytes
}

/** @throws Failure */
export function countOption(
  name: string,
  written: string | undefined,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  if (written === undefined) return otherwise
  const count = /^\d{1,4}$/.test(written) ? Number(written) : NaN
  if (count >= least && count <= most) return count
  throw usageFailure(`--${name} must be a number from ${String(least)} to ${String(most)}; not ${written}`)
}
