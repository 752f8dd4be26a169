import type { Config } from '../config/config.ts'
import { isMemoryAddress } from '../config/values/memory-address.ts'
import { CommandError } from '../domain/command-error.ts'

/**
 * Refuses an import whose result would be lost when the command ends.
 * @throws CommandError
 */
export function refuseMemory({
  dataBackend,
  metadataBackend,
}: Pick<Config, 'metadataBackend'> & Partial<Pick<Config, 'dataBackend'>>): void {
  if (dataBackend?.kind === 'memory') refuse('DataBackend = "memory"')
  const { driver, connectionString } = metadataBackend
  if (driver === 'sqlite3' && isMemoryAddress(connectionString))
    refuse(`MetadataBackendConfig.ConnectionString = "${connectionString}"`)
}

function refuse(setting: string): never {
  throw new CommandError(
    `the configuration has ${setting}: what an import stores in memory is lost when the command ends`,
  )
}
