import { defineCommand } from 'citty'
import { cleanOnce } from '../core/cleanup/clean.ts'
import { cleaningBar } from './terminal/cleanup-bar.ts'
import { onService } from './base/on-service.ts'
import type { Program } from './base/program.ts'
import { configArgument } from './base/read-config.ts'

export const clean = (program: Program) =>
  defineCommand({
    meta: { name: 'clean', description: 'End expired uploads and delete removed data, once' },
    args: configArgument,
    async run({ args }) {
      const report = await onService(program, args, async (service) => {
        const bar = cleaningBar(program, await service.store.uploadBatches.due(service.clock.now()))
        try {
          return await cleanOnce({ ...service, onProgress: bar.onProgress })
        } finally {
          bar.end()
        }
      })
      program.print(
        `ended ${String(report.expiredUploads)} expired uploads, gave up ${String(report.abandonedFiles)} ` +
          `abandoned files, deleted the data of ${String(report.deletedFiles)} files`,
      )
      if (report.failures === 0) return
      program.complain(`${String(report.failures)} files could not be deleted, the log says why`)
      program.fail(1)
    },
  })
