import { defineCommand } from 'citty'
import { metaOf } from './base/descriptions.ts'
import { cleanOnce } from '../core/cleanup/clean.ts'
import { cleanupBar } from './terminal/cleanup-bar.ts'
import { formatCount } from './terminal/formats.ts'
import { onService } from './base/on-service.ts'
import type { Program } from './base/program.ts'
import { configArgument } from './base/read-config.ts'

export const clean = (program: Program) =>
  defineCommand({
    meta: metaOf('clean'),
    args: configArgument,
    async run({ args }) {
      const report = await onService(program, args, async (service) => {
        const bar = cleanupBar(program, await service.store.uploadBatches.due(service.clock.now()))
        try {
          return await cleanOnce(service, { onProgress: bar.onProgress })
        } finally {
          bar.end()
        }
      })
      program.print(
        `expired ${formatCount(report.expiredUploads, 'upload')}, removed ${formatCount(report.abandonedFiles, 'abandoned file')} ` +
          `and ${formatCount(report.unfinishedFiles, 'unfinished file')}, deleted the data of ${formatCount(report.deletedFiles, 'file')}`,
      )
      if (report.failedDeletions === 0) return
      program.printToStderr(
        `${formatCount(report.failedDeletions, 'file')} could not be deleted; see the log`,
      )
      program.fail(1)
    },
  })
