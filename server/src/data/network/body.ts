import type { Readable } from 'node:stream'
import { StoreUnavailableError } from '../backend/backend.ts'

/** The body of one answer of a store. */
export interface StoreBody {
  /** The next bytes, in memory of their own; nothing at the end. @throws when the connection breaks */
  readonly read: () => Promise<Uint8Array | undefined>
  /** Gives up what was not read, with its connection. Harmless after the end. */
  readonly cut: () => void
}

/**
 * A body that breaks when the store keeps its reader waiting. A reader that takes its time is no silence of the store.
 * @param silence milliseconds without a byte, though one is waited for, after which a connection counts as broken
 */
export function storeBody(stream: Readable, silence: number): StoreBody {
  // An error that nobody waits for, such as after leaving early, must not stop the process.
  stream.on('error', () => undefined)
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  // The connection is cut: what is still waited for on it fails.
  const giveUp = () => {
    stream.destroy(new StoreUnavailableError('the store has sent nothing for too long'))
  }
  return {
    async read() {
      const timer = setTimeout(giveUp, silence)
      try {
        const result = await chunks.next()
        return result.done === true ? undefined : result.value
      } finally {
        clearTimeout(timer)
      }
    },
    cut() {
      stream.destroy()
    },
  }
}
