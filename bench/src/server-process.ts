import { openSync, closeSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { serverProcess } from '../../scripts/server-process.mjs'
import type { Bench } from './bench.ts'
import { ask, firstMatch, run, start } from './child.ts'
import { forgetPeakMemory, peakMemory } from './memory.ts'
import type { LoopDelay, Question } from './probe.mjs'

/** What the server process went through while something was done with it. */
export interface Strain {
  readonly loop: LoopDelay
  /** Bytes. */
  readonly peakMemory: number
}

/** The real server, in a process of its own, on a directory of its own. */
export interface ServerProcess extends AsyncDisposable {
  /** Ends in `/`. */
  readonly url: string
  /** Variables that start another process on the same data. */
  readonly sameData: Readonly<Record<string, string>>
  /** Watches the process while some work is done. */
  readonly strain: (work: () => Promise<void>) => Promise<Strain>
  /** Deletes the bytes of removed files at once, with the server's own command. */
  readonly clean: () => Promise<void>
}

const probe = path.resolve(import.meta.dirname, 'probe.mjs')

/**
 * Starts the server as it runs in production: by its usual command line, with every request logged as JSON.
 * @param more `SVCD_*` variables
 */
export async function startServer(
  bench: Bench,
  more: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const { signal } = bench
  const directory = await bench.newDirectory('server')
  const settings = { ...(await environment(directory)), ...more }
  const log = openSync('/dev/null', 'w')
  const serving = serverProcess(['serve'])
  const env = { ...serving.env, ...settings }
  const running = start(serving.command, ['--import', probe, ...serving.args], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', log, 'ipc'],
  })
  closeSync(log)
  try {
    const url = await firstMatch(running, /^svcd listens on (\S+)$/, signal)
    return {
      url,
      sameData: dataIn(directory),
      async strain(work) {
        await forgetPeakMemory(running.pid)
        await ask(running, 'watch' satisfies Question, signal)
        await work()
        const loop = (await ask(running, 'report' satisfies Question, signal)) as LoopDelay
        return { loop, peakMemory: await peakMemory(running.pid) }
      },
      async clean() {
        const cleaning = serverProcess(['clean'])
        await run(cleaning.command, cleaning.args, { cwd: directory, env, signal })
      },
      [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
    }
  } catch (error) {
    await running[Symbol.asyncDispose]()
    throw error
  }
}

/** Whatever configures a server on this machine must not configure this one. */
async function environment(directory: string): Promise<NodeJS.ProcessEnv> {
  const configuration = path.join(directory, 'svcd.toml')
  await writeFile(configuration, '')
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SVCD_') && name !== 'NODE_OPTIONS',
  )
  return {
    ...Object.fromEntries(inherited),
    SVCD_CONFIG: configuration,
    SVCD_LISTEN_ADDRESS: '127.0.0.1',
    SVCD_LISTEN_PORT: '0',
    ...dataIn(directory),
    SVCD_MAX_FILE_SIZE_STR: 'unlimited',
    // Counted like any others, and not met: all requests come from one address.
    SVCD_BUDGET_UPLOADS: '1000000000000',
    SVCD_BUDGET_FILES: '1000000000000',
    SVCD_BUDGET_BYTES_STR: '1000 TB',
    SVCD_BUDGET_CLI_CODES: '1000000000000',
    SVCD_BUDGET_PASSWORD_UPLOADS: '1000000000000',
    SVCD_BUDGET_QR_CODES: '1000000000000',
    SVCD_LOG_LEVEL: 'info',
    SVCD_LOG_FORMAT: 'json',
  }
}

const dataIn = (directory: string) => ({
  SVCD_DATA_BACKEND_CONFIG_DIRECTORY: path.join(directory, 'files'),
  SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING: path.join(directory, 'svc.db'),
})
