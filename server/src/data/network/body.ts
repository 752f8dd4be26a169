import type { Readable } from 'node:stream'
import { StoreUnavailableError } from '../backend/backend.ts'

/** The body of a response of a store. */
export interface StoreBody {
  /**
   * The next bytes, in separate memory; undefined at the end.
   * @throws when the connection breaks
   */
  readonly read: () => Promise<Uint8Array | undefined>
  /** Discards the unread bytes, with the connection. Harmless after the end. */
  readonly destroy: () => void
}

/**
 * A body that fails when a read takes too long. The time between reads does not count.
 * @param idleTimeout milliseconds for which a read waits for a byte
 */
export function storeBody(stream: Readable, idleTimeout: number): StoreBody {
  // An unhandled error, such as after an early return, must not end the process.
  stream.on('error', () => undefined)
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  // Destroys the connection, so that pending reads fail.
  const giveUp = () => {
    stream.destroy(new StoreUnavailableError('the store has sent nothing for too long'))
  }
  return {
    async read() {
      const timer = setTimeout(giveUp, idleTimeout)
      try {
        const result = await chunks.next()
        return result.done === true ? undefined : result.value
      } finally {
        clearTimeout(timer)
      }
    },
    destroy() {
      stream.destroy()
    },
  }
}
