import { usageFailure } from '../errors/failure.ts'

export const formats = ['tar', 'tar.gz', 'tar.zst', 'tar.xz', 'tar.bz2', 'zip'] as const
export type Format = (typeof formats)[number]

/** @throws Failure */
export function formatOption(value: string | undefined): Format | undefined {
  if (value === undefined) return undefined
  const format = formats.find((name) => name === value)
  if (format === undefined) throw usageFailure(`--archive must be one of ${formats.join(', ')}; not ${value}`)
  return format
}
