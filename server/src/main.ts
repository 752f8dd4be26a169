import { runMain } from 'citty'
import { svcd } from './commands/svcd.ts'

const stopSignals = ['SIGTERM', 'SIGINT'] as const

await runMain(
  svcd({
    environment: process.env,
    directory: process.cwd(),
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
    },
    exit: (status) => process.exit(status),
  }),
)
