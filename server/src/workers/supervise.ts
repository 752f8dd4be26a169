/**
 * The primary of several processes that share a port: it starts them, replaces those that exit, and stops them all. It
 * accepts the connections and distributes them round-robin (node:cluster), and does not load the service.
 */
import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import type { Clock } from '../domain/clock.ts'
import { isListening, stopMessage } from './messages.ts'
import { lostConnections } from './lost-connections.ts'
import { restartPolicy } from './restart-policy.ts'
import { indexVariable } from './worker-index.ts'

export interface Supervisor {
  /** Stops all workers: `gently` lets transfers finish. */
  stop(mode: 'gently' | 'at once'): void
}

export interface SupervisorEvents {
  /** Called once, when all workers serve. */
  readonly onComplete: (url: string) => void
  /** Called when the last worker has exited: after `stop`, or after too many failures. */
  readonly onEnd: (why: 'stopped' | 'failed') => void
}

interface Member {
  readonly worker: Worker
  /** When it began to serve requests; null before. */
  servingSince: number | null
}

export interface SupervisorOptions extends SupervisorEvents {
  readonly count: number
  readonly clock: Clock
  readonly log: Logger
}

/** Starts the workers: first one, which prepares the database, then the others. */
export function superviseWorkers({ count, clock, log, onComplete, onEnd }: SupervisorOptions): Supervisor {
  const workers = new Map<number, Member>()
  const restartTimers = new Set<NodeJS.Timeout>()
  const { after } = restartPolicy()
  const lost = lostConnections()
  /** Whether the first worker has not started to serve yet. */
  let isFirst = true
  let state: 'starting' | 'complete' | 'stopping' | 'failed' = 'starting'

  const servingCount = () => [...workers.values()].filter(({ servingSince }) => servingSince !== null).length

  const start = (index: number) => {
    const member: Member = { worker: cluster.fork({ [indexVariable]: String(index) }), servingSince: null }
    workers.set(index, member)
    lost.watch(member.worker.process)
    member.worker.on('message', (message: unknown) => {
      if (!isListening(message)) return
      member.servingSince = clock.now()
      if (state !== 'starting') return
      if (isFirst) {
        isFirst = false
        for (let next = 1; next < count; next += 1) start(next)
      }
      if (servingCount() < count) return
      state = 'complete'
      onComplete(message.url)
    })
    // Messages to a worker that is exiting fail; its exit is handled below.
    member.worker.on('error', (error) => {
      log.warn({ err: error, worker: index }, 'message to worker failed')
    })
    member.worker.once('exit', (code, signal) => {
      workers.delete(index)
      handleExit(index, member, { code, signal })
    })
  }

  const handleExit = (index: number, { worker, servingSince }: Member, exitStatus: object) => {
    if (state === 'stopping' || state === 'failed') {
      if (workers.size === 0) onEnd(state === 'stopping' ? 'stopped' : 'failed')
      return
    }
    const servedMs = servingSince === null ? null : clock.now() - servingSince
    const context = { worker: index, workerPid: worker.process.pid, ...exitStatus }
    const delay = after({ servedMs, others: servingCount(), complete: state === 'complete' })
    if (delay === 'give up') {
      log.fatal(context, 'workers exit right after their start, giving up')
      stopAll('failed', 'gently')
      return
    }
    log.error({ ...context, delayMs: delay }, 'worker exited, restarting')
    const timer = setTimeout(() => {
      restartTimers.delete(timer)
      start(index)
    }, delay)
    restartTimers.add(timer)
  }

  const stopAll = (why: 'stopping' | 'failed', mode: 'gently' | 'at once') => {
    state = why
    lost.stopping()
    for (const timer of restartTimers) clearTimeout(timer)
    for (const { worker, servingSince } of workers.values()) {
      if (mode === 'at once') worker.process.kill('SIGKILL')
      else if (servingSince === null || !worker.isConnected()) worker.process.kill('SIGTERM')
      else worker.send(stopMessage, () => undefined)
    }
    if (workers.size === 0) onEnd(why === 'stopping' ? 'stopped' : 'failed')
  }

  start(0)
  return {
    stop: (mode) => {
      stopAll('stopping', mode)
    },
  }
}
