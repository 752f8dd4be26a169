import { homedir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { ignoreClosedOutput, withProcess } from '@svc/terminal/process'
import { exitCodes } from './errors/exit-codes.ts'
import { errorMessage } from './errors/error-message.ts'
import { oldNodeMessage } from './program/node-version.ts'
import { ownProgram } from './program/own-program.ts'
import { run } from './run.ts'

if (isMainThread) void main()
// The program is one file: the threads of its encryption run it, too.
else void import('@svc/encryption/node/worker')

async function main(): Promise<void> {
  const oldNode = oldNodeMessage(process.versions.node)
  if (oldNode !== null) {
    console.error(`svc: ${oldNode}`)
    process.exitCode = exitCodes.local
    return
  }
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (interruption.signal.aborted) {
        // A second interrupt ends the process without cleanup, which may wait for a server or for a thread that reads a device.
        process.removeAllListeners(signal)
        process.kill(process.pid, signal)
      }
      interruption.abort()
    })

  // Transfers continue without a reader of the output.
  ignoreClosedOutput((error) => {
    console.error(`svc: standard output: ${errorMessage(error)}`)
    process.exit(exitCodes.local)
  })

  const own = ownProgram(process)
  await run(
    withProcess({
      home: homedir(),
      platform: process.platform,
      installed: own.installed,
      get script() {
        return own.script
      },
      clock: {
        now: () => Date.now(),
        sleep: async (ms: number, signal: AbortSignal) => {
          await sleep(ms, undefined, { signal })
        },
      },
      interrupted: interruption.signal,
    }),
    process.argv.slice(2),
  )
}
