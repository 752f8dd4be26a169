import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, type Client } from '@svc/sdk'
import { serverProcess } from '../../../../scripts/server-process.mjs'
import { until } from '../until.ts'
import { temporaryDirectory } from '../machine/temporary-directory.ts'

/** Settings by their names in the environment, without the prefix `SVCD_`. */
export type Settings = Readonly<Record<string, string>>

const defaults: Settings = {
  LISTEN_PORT: '0',
  MIN_FREE_SPACE_STR: '0',
  // JSON, because standard error is not a terminal.
  LOG_FORMAT: 'auto',
  FSYNC_UPLOADS: 'false',
  // Some tests create more uploads than the default budgets allow.
  BUDGET_UPLOADS: '1000000000',
  BUDGET_FILES: '1000000000',
}

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly stderr: string
}

/** A separate server process. */
export interface Svcd {
  readonly url: string
  readonly client: Client
  readonly directory: string
  /** The standard output so far. */
  output(): string
  /** The standard error so far, which has the log. */
  log(): string
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<Ended>
}

/** Signals a process until it has ended: a second signal shortly after the first one counts as the same request. */
export function signalUntilEnded(server: Svcd, signal: NodeJS.Signals): Promise<Ended> {
  let result: Ended | undefined
  void server.ended.then((ended) => (result = ended))
  return until('the process has ended', () => {
    if (result === undefined) server.kill(signal)
    return result
  })
}

/** An empty directory for a server's data, whose configuration file sets nothing. */
export async function emptyDirectory(): Promise<string> {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'svcd.toml'), '')
  return directory
}

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  readonly stderr: () => string
  readonly ended: Promise<Ended>
}

function start(
  args: readonly string[],
  directory: string,
  settings: Settings,
  environment: Readonly<Record<string, string>> = {},
): Started {
  const variables = Object.entries({ ...defaults, ...settings }).map(([name, value]) => [
    `SVCD_${name}`,
    value,
  ])
  const server = serverProcess(args)
  const own = Object.fromEntries(variables) as Record<string, string>
  const env = {
    PATH: process.env['PATH'],
    ...server.env,
    ...own,
    ...environment,
  }
  const child = spawn(server.command, server.args, {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([status, signal]) => ({
    status: status as number | null,
    signal: signal as NodeJS.Signals | null,
    output,
    stderr,
  }))
  return { child, output: () => output, stderr: () => stderr, ended }
}

/** Runs a command of the server to its end. */
export const runSvcd = (
  args: readonly string[],
  directory: string,
  settings: Settings = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> => start(args, directory, settings, environment).ended

/** Begins a command of the server, which the test may kill. */
export function beginSvcd(
  args: readonly string[],
  directory: string,
  settings: Settings = {},
): Pick<Svcd, 'kill' | 'ended' | 'log'> {
  const { child, ended, stderr } = start(args, directory, settings)
  return { kill: (signal) => child.kill(signal), ended, log: stderr }
}

/**
 * Starts a server process on the data of a directory, and waits until it reports its address.
 * @param environment variables for Node itself
 */
export async function startSvcd(
  directory: string,
  settings: Settings = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Svcd> {
  const { child, output, stderr, ended } = start(['serve'], directory, settings, environment)
  const listening = () => /^svcd listens on (.*)\/$/m.exec(output())?.[1]
  const url = await until('the server listens', () => {
    if (child.exitCode !== null) throw new Error(`the server did not start: ${stderr()}`)
    return listening()
  })
  return {
    url,
    client: createClient({ baseURL: url }),
    directory,
    output,
    log: stderr,
    kill: (signal) => child.kill(signal),
    ended,
  }
}
