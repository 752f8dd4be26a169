import { defineCommand } from 'citty'
import { placeIn } from '../workers/worker-index.ts'
import { report } from '../workers/worker.ts'
import type { Program } from './base/program.ts'
import { configArgument, readConfig } from './base/read-config.ts'

export const serve = (program: Program) =>
  defineCommand({
    meta: { name: 'serve', description: 'Start the server' },
    args: configArgument,
    async run({ args }) {
      const config = readConfig(program, args.config)
      const place = placeIn(program.environment, config.workers)
      if (config.workers > 1 && place === undefined) {
        await (await import('./serve-together.ts')).serveTogether(program, config)
        return
      }
      // Who only looks after workers needs nothing of it.
      const { startServer } = await import('../composition/server.ts')
      const server = await startServer(config, place && { place })
      // It is a defect of ours, and no reason to cut everybody else's transfers.
      program.onStrayFailure(server.failed)

      let stopping = false
      const stop = () => {
        if (stopping) return
        stopping = true
        void server.close().then(() => program.exit(0))
      }
      if (place !== undefined) {
        // A terminal or a service manager tells all processes, and so does the primary: that is still once.
        program.onStopSignal(stop)
        report(server, stop)
        return
      }
      program.print(`svcd listens on ${server.url}`)
      program.onStopSignal(() => {
        // Who asks twice does not want to wait for the transfers.
        if (stopping) program.exit(1)
        stop()
      })
    },
  })
