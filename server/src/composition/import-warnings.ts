import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { roughSize } from '@svc/terminal'
import type { Config } from '../config/config.ts'
import type { DataBackend } from '../data/backend/backend.ts'
import type { ServiceImportReport } from '../import/run.ts'
import { nearestExisting } from '../platform/nearest-existing.ts'

type Settings = Pick<Config, 'dataBackend' | 'minFreeSpace' | 'features'>

/** What an admin should know of the configuration after an import. */
export function signInWarnings(
  { features }: Pick<Settings, 'features'>,
  { added, skipped }: ServiceImportReport,
): readonly string[] {
  return features.feature_authentication !== 'disabled' || added.user + skipped.user === 0
    ? []
    : ['users cannot sign in: the configuration has FeatureAuthentication = "disabled"']
}

/** Milliseconds until a request to the data store fails. */
export const pingTimeout = 30_000

/** Why the data store may not take the bytes that a dry run has read. */
export async function storeWarnings(
  config: Settings,
  data: Pick<DataBackend, 'ping'>,
  { bytes, restored }: ServiceImportReport,
): Promise<readonly string[]> {
  try {
    const free = await freeSpace(config, data)
    const needed = bytes + restored.bytes
    if (free === null || needed + config.minFreeSpace <= free) return []
    return [
      `the data store has ${roughSize(free)} of free space, and the import needs ${roughSize(needed)}, with ${roughSize(config.minFreeSpace)} to remain free (MinFreeSpaceStr)`,
    ]
  } catch (error) {
    return [`the data store cannot be written: ${error instanceof Error ? error.message : String(error)}`]
  }
}

/**
 * Bytes of free space in the data store; null if it is unknown.
 * @throws when the store cannot be written
 */
async function freeSpace({ dataBackend }: Settings, data: Pick<DataBackend, 'ping'>): Promise<number | null> {
  if (dataBackend.kind !== 'file') {
    await data.ping?.(AbortSignal.timeout(pingTimeout))
    return null
  }
  // The import creates a missing directory.
  const directory = nearestExisting(dataBackend.directory)
  await access(directory, constants.W_OK | constants.X_OK)
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
