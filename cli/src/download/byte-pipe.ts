import { createNotifier } from '../transfer/notifier.ts'

/** Passes bytes from a writer to a reader without a buffer. */
export interface BytePipe {
  /** Resolves when the reader has processed the bytes and requests more. */
  readonly send: (bytes: Uint8Array) => Promise<void>
  /** Ends the pipe. */
  readonly close: () => void
  /** Can be read once. */
  readonly receive: () => AsyncGenerator<Uint8Array, void>
}

interface Offer {
  readonly bytes: Uint8Array
  readonly taken: () => void
}

export function createBytePipe(): BytePipe {
  let offer: Offer | undefined
  let ended = false
  const more = createNotifier()
  return {
    send: (bytes) =>
      new Promise((resolve) => {
        offer = { bytes, taken: resolve }
        more.notify()
      }),
    close() {
      ended = true
      more.notify()
    },
    async *receive() {
      for (;;) {
        const next = offer
        if (next !== undefined) {
          offer = undefined
          yield next.bytes
          next.taken()
        } else if (ended) return
        else await more.wait()
      }
    },
  }
}
