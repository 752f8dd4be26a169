import type { Config } from '../config/config.ts'
import type { DataBackend } from '../data/backend/backend.ts'

/**
 * Whether the data directory has files of uploads. False for other stores, which `svcd check` does not list. Searches once:
 * later calls return the same result, so that the probe of the data store does not count.
 * @param open opens the data store without creating a missing directory
 */
export function storedFiles(
  { dataBackend }: Config,
  open: () => Promise<DataBackend>,
): () => Promise<boolean> {
  const search = async () => {
    if (dataBackend.kind !== 'file') return false
    const { inventory } = await open()
    for await (const _ of inventory?.list() ?? []) return true
    return false
  }
  let found: Promise<boolean> | undefined
  // A directory that is missing or cannot be read is reported elsewhere.
  return () => (found ??= search().catch(() => false))
}
