import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const executed = promisify(execFile)

export interface RunOptions {
  readonly signal: AbortSignal
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/**
 * Runs a program to its end.
 * @returns its output
 * @throws when it fails or the signal is aborted
 */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { stdout } = await executed(program, args, { ...options, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

export interface StartOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly stdio: StdioOptions
}

/** A program that runs until it is released. */
export interface RunningChild extends AsyncDisposable {
  readonly child: ChildProcess
  readonly pid: number
  /** Ends it at once (SIGKILL). */
  readonly kill: () => Promise<void>
}

const timeoutMs = 5_000

/** Starts a program; its release sends SIGTERM, and SIGKILL if the program does not end. */
export function start(program: string, args: readonly string[], options: StartOptions): RunningChild {
  const child = spawn(program, args, options)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  return {
    child,
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
      await ended
      clearTimeout(kill)
    },
  }
}

/**
 * Waits for a line of a program's output and returns the first group of the pattern.
 * @throws when the program ends without it, or the signal is aborted
 */
export async function firstMatch(
  { child }: RunningChild,
  pattern: RegExp,
  signal: AbortSignal,
): Promise<string> {
  if (child.stdout === null) throw new Error('the output of this program is not read')
  const stop = () => child.kill()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, found] = pattern.exec(line) ?? []
      if (found !== undefined) return found
    }
  } finally {
    signal.removeEventListener('abort', stop)
    child.stdout.resume()
  }
  signal.throwIfAborted()
  throw new Error(`${child.spawnfile} ${child.spawnargs.slice(1).join(' ')} ended before it was ready`)
}

/** Sends a message to a Node process that was started with a channel, and returns its response. */
export async function ask({ child }: RunningChild, message: string, signal: AbortSignal): Promise<unknown> {
  const responded = once(child, 'message', { signal })
  child.send(message)
  const [response] = (await responded) as [unknown]
  return response
}
