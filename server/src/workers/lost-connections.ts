import type { ChildProcess } from 'node:child_process'

/** Between two looks. Milliseconds. */
const lookMs = 250

interface Closable {
  close(): void
}

/**
 * Closes connections that nobody will serve. The primary hands each to a worker, which gives it back when it has closed
 * its port meanwhile; if it was the last one, node:cluster (Node 26.10, `RoundRobinHandle.distribute`) keeps the
 * connection open and forgets it, so that its client would wait until the longest transfer has ended.
 */
export interface LostConnections {
  /** Looks from now on at what a worker is handed. */
  watch(worker: ChildProcess): void
  /** All workers are told to close their port. */
  stopping(): void
}

export function lostConnections(): LostConnections {
  // A worker is handed one connection at a time, so that no other of its can be lost.
  const lastHanded = new Map<ChildProcess, Closable>()
  return {
    watch(worker) {
      const send = worker.send.bind(worker) as (...args: readonly unknown[]) => boolean
      worker.send = (...args: readonly unknown[]) => {
        const [, connection] = args
        if (isClosable(connection)) lastHanded.set(worker, connection)
        return send(...args)
      }
      worker.once('exit', () => lastHanded.delete(worker))
    },
    stopping() {
      // Ours is a copy: where a worker has taken the connection, closing it changes nothing.
      setInterval(() => {
        for (const connection of lastHanded.values()) connection.close()
        lastHanded.clear()
      }, lookMs).unref()
    },
  }
}

const isClosable = (value: unknown): value is Closable =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'
