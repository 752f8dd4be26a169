import { resolve } from 'node:path'
import { withPlik } from '../../composition/plik.ts'
import { refuseRoot } from '../../composition/refuse-root.ts'
import { CommandError } from '../../domain/command-error.ts'
import { importPlik } from '../../import/plik/import.ts'
import { findPlik, type PlikInstallation } from '../../import/plik/installation.ts'
import type { Program } from '../base/program.ts'
import { readConfig } from '../base/read-config.ts'
import { UsageError } from '../base/usage-error.ts'
import { importFromService, type ServiceArguments } from './import-from-service.ts'

/** `svcd import --from plik` */
export async function importFromPlik(program: Program, options: ServiceArguments): Promise<void> {
  if (options.links !== undefined)
    throw new UsageError('--links is for other services: the links of Plik stay the same')
  const installation = await installationOf(program, options)
  const config = readConfig(program, options.config)
  if (options['dry-run'] !== true) refuseRoot(config, { writesFiles: true })
  const isInPlace = options['in-place'] === true
  await importFromService(program, options, (how, work) =>
    withPlik(config, { ...how, installation, isInPlace }, (source, target) =>
      work(target, (run) => importPlik(run, source)),
    ),
  )
}

async function installationOf(
  { directory }: Program,
  { file, data }: ServiceArguments,
): Promise<PlikInstallation> {
  if (file === '-')
    throw new CommandError('standard input cannot be an installation of Plik: name its configuration file')
  const found = await findPlik(file, directory)
  return data === undefined
    ? found
    : { ...found, files: { kind: 'directory', directory: resolve(directory, data) } }
}
