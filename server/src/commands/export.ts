import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defineCommand, type ArgsDef } from 'citty'
import { metaOf } from './base/descriptions.ts'
import { exportText, noRecords } from '../export/export.ts'
import { writeWholeFile } from '../export/write-whole-file.ts'
import { randomId } from '../domain/ids.ts'
import { withWholeTables } from '../composition/server.ts'
import { formatTally } from './terminal/formats.ts'
import type { BulkTables } from '../metadata/bulk-tables.ts'
import type { Program } from './base/program.ts'
import { configArgument, readConfig } from './base/read-config.ts'

const args = {
  file: {
    type: 'positional',
    required: true,
    description: 'File to write, readable only by its owner; - for standard output',
  },
  ...configArgument,
} satisfies ArgsDef

/** docs/admin.md#export-and-import has all of it. */
const notExported =
  'not in an export: the bytes of files, sessions, how far unfinished uploads have come, notifications that wait, keys of the server'

export const exportCommand = (program: Program) =>
  defineCommand({
    meta: metaOf('export'),
    args,
    async run({ args: options }) {
      const tally = noRecords()
      const stop = new AbortController()
      program.onStopSignal(() => {
        stop.abort()
      })
      const { signal } = stop
      const config = readConfig(program, options.config)
      const write = (tables: BulkTables) =>
        tables.snapshot(async (reads) => {
          const text = exportText(reads, tally, (records) => {
            program.printToStderr(`${String(records)} records written`)
          })
          if (options.file === '-')
            await pipeline(Readable.from(text), program.output, { signal, end: false })
          else {
            const suffix = randomId((into) => crypto.getRandomValues(into))
            await writeWholeFile(resolve(program.directory, options.file), text, { suffix, signal })
          }
        })
      await withWholeTables(config, write, 'bulk read')
      // Standard output may hold the export.
      program.printToStderr(`exported ${formatTally(tally)}`)
      program.printToStderr(notExported)
    },
  })
