import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { defineCommand, type ArgsDef } from 'citty'
import { importRecords } from '../admin/import.ts'
import { withWholeTables } from '../composition/server.ts'
import { answer } from './terminal/read-answer.ts'
import { commonArguments } from './base/common-arguments.ts'
import { tallied } from './terminal/formats.ts'
import type { Program } from './base/program.ts'
import { readConfig } from './base/read-config.ts'

const args = {
  file: {
    type: 'positional',
    required: true,
    description: 'File that `svcd export` wrote; - for standard input',
  },
  merge: { type: 'boolean', description: 'Add what the database lacks, keep what it has' },
  ...commonArguments,
} satisfies ArgsDef

export const importCommand = (program: Program) =>
  defineCommand({
    meta: { name: 'import', description: 'Read an export into the database: all of it, or nothing' },
    args,
    async run({ args: given }) {
      const source =
        given.file === '-' ? program.input : createReadStream(resolve(program.directory, given.file))
      const mode = given.merge === true ? 'merge' : 'new'
      const report = await withWholeTables(readConfig(program, given.config), (tables) =>
        importRecords(tables, source, mode, (records) => {
          program.complain(`${String(records)} records read`)
        }),
      )
      answer(program, given, report, () => [
        `imported ${tallied(report.added)}`,
        ...(mode === 'merge' ? [`kept ${tallied(report.skipped)} that were there already`] : []),
      ])
    },
  })
