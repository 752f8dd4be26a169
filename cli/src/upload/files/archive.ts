import { basename } from 'node:path'
import { usageFailure } from '../../errors/failure.ts'
import type { ArchiveFormat } from '../../arguments/archive-format.ts'
import { isItem, type Entry, type StreamItem } from '../../files/item.ts'
import { tarOf } from './tar.ts'
import { zipOf } from './zip.ts'

/** Commands that unpack an archive from a pipe; there is none for zip. */
const unpackers: Readonly<Record<Exclude<ArchiveFormat, 'zip'>, readonly string[]>> = {
  tar: ['tar', 'x'],
  'tar.gz': ['tar', 'xz'],
  'tar.zst': ['tar', '--zstd', '-x'],
  'tar.xz': ['tar', 'xJ'],
  'tar.bz2': ['tar', 'xj'],
}

/** Whether archives of a format contain folders and symbolic links as such. */
export const keepsLinks = (format: ArchiveFormat): boolean => format !== 'zip'

/**
 * All files as one archive, which is written while it is sent, and is neither on the disk nor completely in memory.
 * @param name name of the archive with its extension; by default from the only path
 * @throws Failure when files have equal names
 */
export function archiveOf(
  entries: readonly Entry[],
  format: ArchiveFormat,
  name: string | undefined,
): StreamItem {
  requireDistinct(entries.filter(({ kind }) => kind !== 'folder').map((entry) => entry.name))
  return {
    kind: 'stream',
    name: name ?? `${nameOf(entries)}.${format}`,
    ...(format === 'zip'
      ? { open: () => zipOf(entries.filter(isItem)) }
      : { open: tarOf(entries, format), unpack: unpackers[format] }),
  }
}

/** @throws Failure when files of several folders have equal names: unpacking would overwrite one of them */
function requireDistinct(names: readonly string[]): void {
  const double = [...Map.groupBy(names, (name) => name).values()].find(({ length }) => length > 1)?.[0]
  if (double !== undefined)
    throw usageFailure(`two files are named ${double}; send their common folder instead`)
}

function nameOf(entries: readonly Entry[]): string {
  const tops = new Set(entries.map(({ name }) => name.split('/')[0] ?? name))
  const [only = 'archive'] = tops
  return tops.size === 1 ? basename(only) : 'archive'
}
