import cluster from 'node:cluster'
import { ignoreClosedOutput, withProcess } from '@svc/terminal/process'
import { withoutRepeats } from './commands/base/stop-signals.ts'
import { run } from './commands/run.ts'
import { systemClock } from './platform/system-clock.ts'

ignoreClosedOutput((error) => {
  process.stderr.write(`svcd: standard output: ${error.message}\n`)
  process.exit(1)
})

const stopSignals = ['SIGTERM', 'SIGINT'] as const

await run(
  withProcess({
    clock: systemClock,
    onStopSignal: (stop: () => void) => {
      const onSignal = withoutRepeats(systemClock, stop)
      for (const signal of stopSignals) process.on(signal, onSignal)
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
