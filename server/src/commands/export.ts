import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defineCommand, type ArgsDef } from 'citty'
import { exportText, noRecords } from '../admin/export.ts'
import { writeWholeFile } from '../admin/write-whole-file.ts'
import { randomId } from '../domain/ids.ts'
import { withWholeTables } from '../composition/server.ts'
import { tallied } from './terminal/formats.ts'
import type { Program } from './base/program.ts'
import { configArgument, readConfig } from './base/read-config.ts'

const args = {
  file: {
    type: 'positional',
    required: true,
    description: 'File to write, readable by its owner only; - for standard output',
  },
  ...configArgument,
} satisfies ArgsDef

export const exportCommand = (program: Program) =>
  defineCommand({
    meta: {
      name: 'export',
      description: 'Write all users, tokens and uploads to a file, without the data of files',
    },
    args,
    async run({ args: given }) {
      const tally = noRecords()
      const stop = new AbortController()
      program.onStopSignal(() => {
        stop.abort()
      })
      const { signal } = stop
      await withWholeTables(readConfig(program, given.config), (tables) =>
        tables.snapshot(async (reads) => {
          const text = exportText(reads, tally, (records) => {
            program.complain(`${String(records)} records written`)
          })
          if (given.file === '-') await pipeline(Readable.from(text), program.output, { signal, end: false })
          else {
            const suffix = randomId((into) => crypto.getRandomValues(into))
            await writeWholeFile(resolve(program.directory, given.file), text, { suffix, signal })
          }
        }),
      )
      // Standard output may be the export.
      program.complain(`exported ${tallied(tally)}`)
    },
  })
