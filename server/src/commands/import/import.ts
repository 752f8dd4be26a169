import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineCommand, type ArgsDef } from 'citty'
import { metaOf } from '../base/descriptions.ts'
import { CommandError } from '../../domain/command-error.ts'
import { importRecords } from '../../export/import.ts'
import { refuseMemory } from '../../composition/refuse-memory.ts'
import { withWholeTables } from '../../composition/server.ts'
import { printResult } from '../terminal/print-result.ts'
import { commonArguments, limitArgument } from '../base/common-arguments.ts'
import { formatCount, formatTally } from '../terminal/formats.ts'
import type { Program } from '../base/program.ts'
import { readConfig } from '../base/read-config.ts'
import { UsageError } from '../base/usage-error.ts'
import { directoryServices } from '../../composition/other-services.ts'
import { importFromDirectory } from './import-directory.ts'
import { importFromPlik } from './import-plik.ts'

const args = {
  file: {
    type: 'positional',
    required: true,
    description:
      'File that `svcd export` wrote, - for standard input; with --from plik, plikd.cfg or the database of Plik; with --from another service, its directory',
  },
  merge: { type: 'boolean', description: 'Keep existing records and add the missing ones' },
  from: {
    type: 'enum',
    options: ['plik', ...directoryServices],
    description: 'Import an installation of another service; run it again to continue',
  },
  'dry-run': {
    type: 'boolean',
    description: 'With --from: read and verify everything, report, change nothing',
  },
  data: {
    type: 'string',
    description: 'With --from: directory of the files, if the installation does not name it',
    valueHint: 'DIRECTORY',
  },
  'in-place': { type: 'boolean', description: 'The files of Plik are in the data store of svcd already' },
  partial: {
    type: 'boolean',
    description: 'With --from: import uploads without their missing or damaged files',
  },
  links: {
    type: 'string',
    description: 'With --from: write old and new addresses into a file, for redirects',
    valueHint: 'FILE',
  },
  ...limitArgument,
  ...commonArguments,
} satisfies ArgsDef

export const importCommand = (program: Program) =>
  defineCommand({
    meta: metaOf('import'),
    args,
    async run({ args: options }) {
      const { from } = options
      if (from !== undefined) {
        if (options.merge === true)
          throw new UsageError(`--merge is for files of svcd export; --from ${from} always merges`)
        const service = directoryServices.find((name) => name === from)
        if (service === undefined) await importFromPlik(program, options)
        else await importFromDirectory(program, service, options)
        return
      }
      const misplaced = (['dry-run', 'data', 'in-place', 'partial', 'links', 'limit'] as const).find(
        (name) => options[name] !== undefined,
      )
      if (misplaced !== undefined) throw new UsageError(`--${misplaced} needs --from`)
      const source = options.file === '-' ? program.input : await contentOf(program, options.file)
      const mode = options.merge === true ? 'merge' : 'new'
      const config = readConfig(program, options.config)
      // Without the data backend: only rows are imported.
      refuseMemory({ metadataBackend: config.metadataBackend })
      const rules = {
        ...config.notifications,
        onRefused: (number: number, reason: string) => {
          program.printToStderr(`line ${String(number)} is left out, or a part of it: ${reason}`)
        },
      }
      const report = await withWholeTables(config, (tables) =>
        importRecords(tables, source, mode, rules, (records) => {
          program.printToStderr(`${formatCount(records, 'record')} read`)
        }),
      )
      printResult(program, options, report, () => [
        `imported ${formatTally(report.added)}`,
        ...(report.refused.webhook > 0 ? [`left out ${formatCount(report.refused.webhook, 'webhook')}`] : []),
        ...(mode === 'merge' ? [`already present: ${formatTally(report.skipped)}`] : []),
      ])
    },
  })

/** Opened before the database, so that a wrong name changes nothing. */
async function contentOf({ directory }: Program, name: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(resolve(directory, name))
  if ((await file.stat()).isDirectory()) {
    await file.close()
    throw new CommandError(`${name} is a directory: name a file that svcd export wrote`)
  }
  return file.createReadStream()
}
