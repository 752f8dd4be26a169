import type { Config } from '../config/config.ts'
import { isMemoryDatabase } from '../config/values/memory-database.ts'
import { CommandError } from '../domain/command-error.ts'

/**
 * Refuses an import into the memory of this process.
 * @throws CommandError
 */
export function refuseMemory({
  dataBackend,
  metadataBackend,
}: Pick<Config, 'dataBackend' | 'metadataBackend'>): void {
  const key =
    dataBackend.kind === 'memory'
      ? 'DataBackend'
      : metadataBackend.driver === 'sqlite3' && isMemoryDatabase(metadataBackend.connectionString)
        ? 'MetadataBackendConfig.ConnectionString'
        : undefined
  if (key !== undefined)
    throw new CommandError(
      `${key} is the memory of one process: what is imported would be lost when the command ends; choose another`,
    )
}
