import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineCommand, type ArgsDef } from 'citty'
import { CommandError } from '../domain/command-error.ts'
import { importRecords } from '../export/import.ts'
import { withWholeTables } from '../composition/server.ts'
import { printResult } from './terminal/print-result.ts'
import { commonArguments } from './base/common-arguments.ts'
import { formatTally } from './terminal/formats.ts'
import type { Program } from './base/program.ts'
import { readConfig } from './base/read-config.ts'

const args = {
  file: {
    type: 'positional',
    required: true,
    description: 'File that `svcd export` wrote; - for standard input',
  },
  merge: { type: 'boolean', description: 'Keep existing records and add the missing ones' },
  ...commonArguments,
} satisfies ArgsDef

export const importCommand = (program: Program) =>
  defineCommand({
    meta: { name: 'import', description: 'Import a file of `svcd export`, completely or not at all' },
    args,
    async run({ args: options }) {
      const source = options.file === '-' ? program.input : await contentOf(program, options.file)
      const mode = options.merge === true ? 'merge' : 'new'
      const report = await withWholeTables(readConfig(program, options.config), (tables) =>
        importRecords(tables, source, mode, (records) => {
          program.printToStderr(`${String(records)} records read`)
        }),
      )
      printResult(program, options, report, () => [
        `imported ${formatTally(report.added)}`,
        ...(mode === 'merge' ? [`kept ${formatTally(report.skipped)} that already existed`] : []),
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
