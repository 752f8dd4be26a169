import cluster from 'node:cluster'
import { withProcess } from '@svc/terminal/process'
import { run } from './commands/run.ts'
import { systemClock } from './platform/system-clock.ts'

const stopSignals = ['SIGTERM', 'SIGINT'] as const

await run(
  withProcess({
    clock: systemClock,
    onStopSignal: (stop: () => void) => {
      for (const signal of stopSignals) process.on(signal, stop)
      // The launcher of an older Node has exited.
      if (cluster.isPrimary) process.on('disconnect', stop)
    },
    onUnhandledRejection: (report: (reason: unknown) => void) => {
      process.on('unhandledRejection', report)
    },
    exit: (status: number) => process.exit(status),
  }),
  process.argv.slice(2),
)
