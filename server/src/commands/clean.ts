import { defineCommand } from 'citty'
import { metaOf } from './base/descriptions.ts'
import { cleanOnce } from '../core/cleanup/clean.ts'
import { cleanupBar } from './terminal/cleanup-bar.ts'
import { counted } from './terminal/formats.ts'
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
          return await cleanOnce({ ...service, onProgress: bar.onProgress })
        } finally {
          bar.end()
        }
      })
      program.print(
        `expired ${counted(report.expiredUploads, 'upload')}, removed ${counted(report.abandonedFiles, 'abandoned file')} ` +
          `and ${counted(report.unfinishedFiles, 'unfinished file')}, deleted the data of ${counted(report.deletedFiles, 'file')}`,
      )
      if (report.failures === 0) return
      program.printToStderr(`${counted(report.failures, 'file')} could not be deleted; see the log`)
      program.fail(1)
    },
  })
