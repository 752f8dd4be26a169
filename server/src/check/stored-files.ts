import { getRandomValues } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { openDataBackend } from '../data/open.ts'
import { systemClock } from '../platform/system-clock.ts'

/**
 * Whether the data directory has files of uploads. False for other stores, which `svcd check` does not list. Looks once:
 * later calls return the same result, so that the probe of the data store does not count.
 */
export function storedFiles({ dataBackend }: Config): () => Promise<boolean> {
  const look = async () => {
    if (dataBackend.kind !== 'file') return false
    const { inventory } = await openDataBackend(dataBackend, systemClock, getRandomValues, { create: false })
    for await (const _ of inventory?.list() ?? []) return true
    return false
  }
  let found: Promise<boolean> | undefined
  // A directory that is missing or cannot be read is reported elsewhere.
  return () => (found ??= look().catch(() => false))
}
