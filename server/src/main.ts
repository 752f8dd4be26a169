import cluster from 'node:cluster'
import { run } from './commands/run.ts'
import { systemClock } from './platform/system-clock.ts'

const stopSignals = ['SIGTERM', 'SIGINT'] as const

await run(
  {
    environment: process.env,
    directory: process.cwd(),
    clock: systemClock,
    // Node opens a stream at its first use.
    get input() {
      return process.stdin
    },
    get output() {
      return process.stdout
    },
    get prompts() {
      return process.stderr
    },
    print: (line) => {
      console.log(line)
    },
    complain: (line) => {
      console.error(line)
    },
    fail: (status) => {
      process.exitCode = status
    },
    onStopSignal: (stop) => {
      for (const signal of stopSignals) process.on(signal, stop)
      // The launcher of an older Node has exited.
      if (cluster.isPrimary) process.on('disconnect', stop)
    },
    onUnhandledRejection: (report) => {
      process.on('unhandledRejection', report)
    },
    exit: (status) => process.exit(status),
  },
  process.argv.slice(2),
)
