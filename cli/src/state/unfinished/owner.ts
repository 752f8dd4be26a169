import { uptime } from 'node:os'
import { kill, pid } from 'node:process'
import type { Clock } from '../../program/program.ts'

/** The process that sends an upload. */
export interface Owner {
  readonly pid: number
  /** When it began with the upload, in milliseconds since the epoch. */
  readonly since: number
}

export const thisProcess = (clock: Clock): Owner => ({ pid, since: clock.now() })

/**
 * Whether the process of another command still sends an upload. After a restart of the system, a process with the same number
 * is another one.
 */
export function isRunning({ pid: other, since }: Owner, clock: Clock): boolean {
  const bootedAt = clock.now() - uptime() * 1000
  if (other === pid || since < bootedAt) return false
  try {
    kill(other, 0)
    return true
  } catch (error) {
    // A process of another user exists, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
