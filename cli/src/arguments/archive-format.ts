import { usageFailure } from '../errors/failure.ts'

export const archiveFormats = ['tar', 'tar.gz', 'tar.zst', 'tar.xz', 'tar.bz2', 'zip'] as const
export type ArchiveFormat = (typeof archiveFormats)[number]

/** @throws Failure */
export function parseArchiveOption(value: string | undefined): ArchiveFormat | undefined {
  if (value === undefined) return undefined
  const format = archiveFormats.find((name) => name === value)
  if (format === undefined)
    throw usageFailure(`--archive must be one of ${archiveFormats.join(', ')}; not ${value}`)
  return format
}
