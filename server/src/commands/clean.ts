import { defineCommand } from 'citty'
import { cleanOnce } from '../server.ts'
import type { Program } from './program.ts'
import { configArgument, readConfig } from './read-config.ts'

export const clean = (program: Program) =>
  defineCommand({
    meta: { name: 'clean', description: 'End expired uploads and delete removed data, once' },
    args: configArgument,
    async run({ args }) {
      const report = await cleanOnce(readConfig(program, args.config))
      program.print(
        `ended ${String(report.expiredUploads)} expired uploads, gave up ${String(report.abandonedFiles)} ` +
          `abandoned files, deleted the data of ${String(report.deletedFiles)} files`,
      )
      if (report.failures === 0) return
      program.complain(`${String(report.failures)} files could not be deleted, the log says why`)
      program.fail(1)
    },
  })
