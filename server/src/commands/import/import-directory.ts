import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { withDirectoryService, type DirectoryService } from '../../composition/other-services.ts'
import { refuseRoot } from '../../composition/refuse-root.ts'
import { CommandError } from '../../domain/command-error.ts'
import type { Program } from '../base/program.ts'
import { readConfig } from '../base/read-config.ts'
import { UsageError } from '../base/usage-error.ts'
import { importFromService, type ServiceArguments } from './import-from-service.ts'

/** `svcd import --from gokapi`, `transfer.sh` and `pingvin` */
export async function importFromDirectory(
  program: Program,
  service: DirectoryService,
  options: ServiceArguments,
): Promise<void> {
  if (options['in-place'] === true)
    throw new UsageError('--in-place needs --from plik: files of other services get other names')
  const { file, data } = options
  const root = resolve(program.directory, file)
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CommandError(`${file} is not a directory: name that of the installation`)
  const config = readConfig(program, options.config)
  if (options['dry-run'] !== true) refuseRoot(config, { writesFiles: true })
  const source = { service, root, data: data === undefined ? undefined : resolve(program.directory, data) }
  await importFromService(program, options, (how, work) =>
    withDirectoryService(config, { ...source, ...how }, work),
  )
}
