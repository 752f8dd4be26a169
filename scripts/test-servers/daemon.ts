import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** The system user that runs a server. */
export interface Identity {
  readonly user: string
  /** Command line before that of the server; empty for the current user. */
  readonly ids: { readonly uid?: number; readonly gid?: number }
}

/** @param user the system user that runs the server instead of root, which some servers refuse */
export function identityOf(user: string): Identity {
  const id = (...args: readonly string[]) => execFileSync('id', args, { encoding: 'utf8' }).trim()
  if (process.getuid?.() !== 0) return { user: id('-un'), ids: {} }
  return { user, ids: { uid: Number(id('-u', user)), gid: Number(id('-g', user)) } }
}

/** A server process that runs until it is stopped. It ends with the current process, however that ends. */
export interface Daemon {
  /**
   * Repeats the probe until it succeeds.
   * @throws with the log when the process has ended
   */
  ready(probe: () => Promise<unknown>): Promise<void>
  stop(signal: NodeJS.Signals): Promise<void>
}

/** The process ended without being stopped. */
export class DaemonEnded extends Error {
  override readonly name = 'DaemonEnded'
}

export interface DaemonOptions extends Identity {
  /** File for the output of the process. */
  readonly log: string
}

/** A program of Linux that runs another one, which the kernel kills when its parent process ends. */
const binder = '/usr/bin/setpriv'
const bound = existsSync(binder) ? [binder, '--pdeathsig', 'KILL'] : []

export function startDaemon(command: readonly string[], { log, ids }: DaemonOptions): Daemon {
  const output = openSync(log, 'a')
  const [program = '', ...args] = [...bound, ...command]
  const child = spawn(program, args, { ...ids, cwd: '/', stdio: ['ignore', output, output] })
  const ended = once(child, 'exit')
  const running = () => child.exitCode === null && child.signalCode === null
  const killAtExit = () => child.kill('SIGKILL')
  process.on('exit', killAtExit)
  child.on('exit', () => process.off('exit', killAtExit))
  return {
    async ready(probe) {
      for (;;) {
        if (!running())
          throw new DaemonEnded(`${String(command[0])} has ended: ${await readFile(log, 'utf8')}`)
        try {
          await probe()
          return
        } catch {
          await wait(25)
        }
      }
    },
    async stop(signal) {
      if (!running()) return
      child.kill(signal)
      await ended
    },
  }
}

/**
 * Requests an address.
 * @throws unless the status of the response is 2xx
 */
export async function requireOk(url: string): Promise<void> {
  const response = await fetch(url)
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${url} responds with ${String(response.status)}`)
}

/** Whether a folder contains a program. */
export const holds = (name: string) => (folder: string) => existsSync(join(folder, name))
