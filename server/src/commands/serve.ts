import { defineCommand } from 'citty'
import { metaOf } from './base/descriptions.ts'
import { workerIndexOf } from '../workers/worker-index.ts'
import { reportListening } from '../workers/worker.ts'
import { printListening } from './base/print-listening.ts'
import type { Program } from './base/program.ts'
import { configArgument, readConfig } from './base/read-config.ts'

export const serve = (program: Program) =>
  defineCommand({
    meta: metaOf('serve'),
    args: configArgument,
    async run({ args }) {
      const config = readConfig(program, args.config)
      const workerIndex = workerIndexOf(program.environment, config.workers)
      if (config.workers > 1 && workerIndex === undefined) {
        await (await import('./serve-together.ts')).serveTogether(program, config)
        return
      }
      // A primary does not load the service.
      const { startServer } = await import('../composition/server.ts')
      const server = await startServer(config, workerIndex && { workerIndex })
      // A bug of this program must not cut the transfers of other clients.
      program.onUnhandledRejection(server.logUnhandledRejection)

      let stopping = false
      const stop = () => {
        if (stopping) return
        stopping = true
        void server.close().then(() => program.exit(0))
      }
      if (workerIndex !== undefined) {
        // Both the service manager and the primary may ask a worker to stop: `stop` runs once.
        program.onStopSignal(stop)
        reportListening(server, stop)
        return
      }
      printListening(program, config, server.url)
      program.onStopSignal(() => {
        // A second signal stops without waiting for transfers.
        if (stopping) program.exit(1)
        stop()
      })
    },
  })
