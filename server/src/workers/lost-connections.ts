import type { ChildProcess } from 'node:child_process'

/** Milliseconds between two checks. */
const intervalMs = 250

interface Closable {
  close(): void
}

/**
 * Closes connections that no worker will serve. The primary sends each connection to a worker, which returns it if it
 * has closed its port meanwhile. If that was the last worker, node:cluster (Node 26.10, `RoundRobinHandle.distribute`)
 * keeps the connection open and forgets it: its client would wait until the longest transfer has ended.
 */
export interface LostConnections {
  /** Watches the connections that a worker receives from now on. */
  watch(worker: ChildProcess): void
  /** To call when all workers are asked to close their port. */
  stopping(): void
}

export function lostConnections(): LostConnections {
  // A worker receives one connection at a time, so that only the last one can be lost.
  const lastSent = new Map<ChildProcess, Closable>()
  return {
    watch(worker) {
      const send = worker.send.bind(worker) as (...args: readonly unknown[]) => boolean
      worker.send = (...args: readonly unknown[]) => {
        const [, connection] = args
        if (isClosable(connection)) lastSent.set(worker, connection)
        return send(...args)
      }
      worker.once('exit', () => lastSent.delete(worker))
    },
    stopping() {
      // The primary has a copy: closing it does not affect a connection that a worker has accepted.
      setInterval(() => {
        for (const connection of lastSent.values()) connection.close()
        lastSent.clear()
      }, intervalMs).unref()
    },
  }
}

const isClosable = (value: unknown): value is Closable =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'
