/**
 * The primary of several processes that share a port: starts them, replaces those that die, ends them all. It takes
 * the connections and hands them out in turn (node:cluster), and knows nothing else of the service.
 */
import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import type { Clock } from '../domain/clock.ts'
import { isListening, stopMessage } from './messages.ts'
import { lostConnections } from './lost-connections.ts'
import { patience } from './restart-policy.ts'
import { indexVariable } from './worker-index.ts'

export interface Team {
  /** Ends all: `gently` lets transfers finish. */
  stop(how: 'gently' | 'at once'): void
}

export interface TeamEvents {
  /** All take requests, for the first time. */
  readonly onComplete: (url: string) => void
  /** The last one has ended: after `stop`, or because there is no hope. */
  readonly onEnd: (why: 'stopped' | 'failed') => void
}

interface Member {
  readonly worker: Worker
  /** When it began to take requests; null before. */
  workingSince: number | null
}

export interface TeamOptions extends TeamEvents {
  readonly count: number
  readonly clock: Clock
  readonly log: Logger
}

/** Starts workers: the first alone, which prepares the database, and then the others. */
export function startTeam({ count, clock, log, onComplete, onEnd }: TeamOptions): Team {
  const members = new Map<number, Member>()
  const waiting = new Set<NodeJS.Timeout>()
  const { after } = patience()
  const lost = lostConnections()
  /** Whether the first one is still to make the beginning. */
  let alone = true
  let state: 'starting' | 'complete' | 'stopping' | 'failed' = 'starting'

  const working = () => [...members.values()].filter(({ workingSince }) => workingSince !== null).length

  const start = (index: number) => {
    const member: Member = { worker: cluster.fork({ [indexVariable]: String(index) }), workingSince: null }
    members.set(index, member)
    lost.watch(member.worker.process)
    member.worker.on('message', (message: unknown) => {
      if (!isListening(message)) return
      member.workingSince = clock.now()
      if (state !== 'starting') return
      if (alone) {
        alone = false
        for (let next = 1; next < count; next += 1) start(next)
      }
      if (working() < count) return
      state = 'complete'
      onComplete(message.url)
    })
    // A word to one that is ending: its end is told below.
    member.worker.on('error', (error) => {
      log.warn({ err: error, worker: index }, 'a worker could not be reached')
    })
    member.worker.once('exit', (code, signal) => {
      members.delete(index)
      ended(index, member, { code, signal })
    })
  }

  const ended = (index: number, { worker, workingSince }: Member, how: object) => {
    if (state === 'stopping' || state === 'failed') {
      if (members.size === 0) onEnd(state === 'stopping' ? 'stopped' : 'failed')
      return
    }
    const workedMs = workingSince === null ? null : clock.now() - workingSince
    const context = { worker: index, workerPid: worker.process.pid, ...how }
    const delay = after({ workedMs, others: working(), complete: state === 'complete' })
    if (delay === 'give up') {
      log.fatal(context, 'workers end as soon as they start, giving up')
      end('failed', 'gently')
      return
    }
    log.error({ ...context, delayMs: delay }, 'a worker has ended, another takes its place')
    const timer = setTimeout(() => {
      waiting.delete(timer)
      start(index)
    }, delay)
    waiting.add(timer)
  }

  const end = (why: 'stopping' | 'failed', how: 'gently' | 'at once') => {
    state = why
    lost.stopping()
    for (const timer of waiting) clearTimeout(timer)
    for (const { worker, workingSince } of members.values()) {
      if (how === 'at once') worker.process.kill('SIGKILL')
      else if (workingSince === null || !worker.isConnected()) worker.process.kill('SIGTERM')
      else worker.send(stopMessage, () => undefined)
    }
    if (members.size === 0) onEnd(why === 'stopping' ? 'stopped' : 'failed')
  }

  start(0)
  return {
    stop: (how) => {
      end('stopping', how)
    },
  }
}
