import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { defineCommand, type ArgsDef } from 'citty'
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
      const source =
        options.file === '-' ? program.input : createReadStream(resolve(program.directory, options.file))
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
