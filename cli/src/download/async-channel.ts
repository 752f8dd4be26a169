import { createNotifier } from '../core/notifier.ts'

/** Bytes from one who writes to one who reads, without a buffer between them. */
export interface AsyncChannel {
  /** Resolves when the reader is done with the bytes and asks for more. */
  readonly send: (bytes: Uint8Array) => Promise<void>
  /** Nothing more will come. */
  readonly close: () => void
  /** To be read once. */
  readonly receive: () => AsyncGenerator<Uint8Array, void>
}

interface Offer {
  readonly bytes: Uint8Array
  readonly taken: () => void
}

export function createAsyncChannel(): AsyncChannel {
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
