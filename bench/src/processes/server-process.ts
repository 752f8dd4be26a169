import { openSync, closeSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { serverProcess } from '../../../scripts/server-process.mjs'
import type { Bench } from '../bench.ts'
import { ask, firstMatch, run, start } from './child.ts'
import { forgetPeakMemory, memoryByKind, peakMemory } from './memory.ts'
import { processorSeconds } from './processor.ts'
import type { LoopDelay, Question } from './probe.mjs'
import type { Profile } from './profile.ts'

/** The resources that the server process used during some work. */
export interface ResourceUsage {
  readonly loop: LoopDelay
  /** Bytes. */
  readonly peakMemory: number
  /** Seconds. */
  readonly processor: number
}

/** The real server in a separate process, on a separate directory. */
export interface ServerProcess extends AsyncDisposable {
  /** Ends in `/`. */
  readonly url: string
  /** Variables that start another process on the same data. */
  readonly sameData: Readonly<Record<string, string>>
  /** Measures the process during some work. */
  readonly measureUsage: (work: () => Promise<void>) => Promise<ResourceUsage>
  /** What the resident memory of the process is, in bytes by kind. */
  readonly memory: () => Promise<Readonly<Record<string, number>>>
  /** Profiles the main thread while some work is done. */
  readonly profile: (work: () => Promise<unknown>) => Promise<Profile>
  /** Seconds of processor time of the process. */
  readonly processorTime: () => Promise<number>
  /** Limits the open files of the process (prlimit(1)). */
  readonly limitOpenFiles: (most: number) => Promise<void>
  /** Deletes the bytes of removed files at once, with the command of the server. */
  readonly clean: () => Promise<void>
  /** Ends the process at once (SIGKILL). */
  readonly kill: () => Promise<void>
}

const probe = path.resolve(import.meta.dirname, 'probe.mjs')

/** The configuration and the data of a server and its commands. */
export interface ServerSetup {
  readonly directory: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * An empty directory for a server.
 * @param more `SVCD_*` variables
 */
export async function newServerSetup(
  bench: Bench,
  more: Readonly<Record<string, string>> = {},
): Promise<ServerSetup> {
  const directory = await bench.newDirectory('server')
  return { directory, env: { ...(await environment(directory)), ...more } }
}

/**
 * Runs a command of the server to its end, on the data of a server that may run.
 * @returns its output
 */
export function runCommand(
  { directory, env }: ServerSetup,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const command = serverProcess(args)
  return run(command.command, command.args, { cwd: directory, env: { ...command.env, ...env }, signal })
}

/**
 * Starts the server as it runs in production: by its usual command line, with every request logged as JSON.
 * @param more `SVCD_*` variables
 */
export const startServer = async (
  bench: Bench,
  more: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> => startServerWith(await newServerSetup(bench, more), bench.signal)

/** Starts the server with the configuration and the data of another. */
export async function startServerWith(setup: ServerSetup, signal: AbortSignal): Promise<ServerProcess> {
  const { directory } = setup
  const log = openSync('/dev/null', 'w')
  const serving = serverProcess(['serve'])
  const running = start(serving.command, ['--import', probe, ...serving.args], {
    cwd: directory,
    env: { ...serving.env, ...setup.env },
    stdio: ['ignore', 'pipe', log, 'ipc'],
  })
  closeSync(log)
  try {
    const url = await firstMatch(running, /^svcd listens on (\S+)$/, signal)
    return {
      url,
      sameData: dataIn(directory),
      async measureUsage(work) {
        await forgetPeakMemory(running.pid)
        await ask(running, 'watch' satisfies Question, signal)
        const before = await processorSeconds(running.pid)
        await work()
        const processor = (await processorSeconds(running.pid)) - before
        const loop = (await ask(running, 'report' satisfies Question, signal)) as LoopDelay
        return { loop, peakMemory: await peakMemory(running.pid), processor }
      },
      async memory() {
        const { files, anonymous } = await memoryByKind(running.pid)
        const { heapTotal, external } = (await ask(
          running,
          'memory' satisfies Question,
          signal,
        )) as NodeJS.MemoryUsage
        return {
          'program and libraries': files,
          'heap of the main thread': heapTotal,
          'buffers of the main thread': external,
          'other threads, stacks, SQLite, allocator': anonymous - heapTotal - external,
        }
      },
      async profile(work) {
        await ask(running, 'profile' satisfies Question, signal)
        await work()
        return (await ask(running, 'end profile' satisfies Question, signal)) as Profile
      },
      processorTime: () => processorSeconds(running.pid),
      async limitOpenFiles(most) {
        await run('prlimit', ['--pid', String(running.pid), `--nofile=${String(most)}:`], { signal })
      },
      async clean() {
        await runCommand(setup, ['clean'], signal)
      },
      kill: () => running.kill(),
      [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
    }
  } catch (error) {
    await running[Symbol.asyncDispose]()
    throw error
  }
}

/** Variables that configure another server on this machine must not configure this one. */
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
    // Effectively unlimited, because all requests come from one address.
    SVCD_BUDGET_UPLOADS: '1000000000000',
    SVCD_BUDGET_FILES: '1000000000000',
    SVCD_BUDGET_BYTES_STR: '1000 TB',
    SVCD_BUDGET_CLI_CODES: '1000000000000',
    SVCD_BUDGET_PASSWORD_UPLOADS: '1000000000000',
    SVCD_BUDGET_QR_CODES: '1000000000000',
    SVCD_LOG_LEVEL: 'info',
    SVCD_LOG_FORMAT: 'auto',
  }
}

const dataIn = (directory: string) => ({
  SVCD_DATA_BACKEND_CONFIG_DIRECTORY: path.join(directory, 'files'),
  SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING: path.join(directory, 'svc.db'),
})
