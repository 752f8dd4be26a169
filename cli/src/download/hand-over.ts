import { createWakeup } from '../wakeup.ts'

/** Bytes from one who writes to one who reads, without a buffer between them. */
export interface HandOver {
  /** Resolves when the reader is done with the bytes and asks for more. */
  readonly give: (bytes: Uint8Array) => Promise<void>
  /** Nothing more will come. */
  readonly end: () => void
  /** To be read once. */
  readonly pieces: () => AsyncGenerator<Uint8Array, void>
}

interface Offer {
  readonly bytes: Uint8Array
  readonly taken: () => void
}

export function createHandOver(): HandOver {
  let offer: Offer | undefined
  let ended = false
  const more = createWakeup()
  return {
    give: (bytes) =>
      new Promise((resolve) => {
        offer = { bytes, taken: resolve }
        more.ring()
      }),
    end() {
      ended = true
      more.ring()
    },
    async *pieces() {
      for (;;) {
        const next = offer
        if (next !== undefined) {
          offer = undefined
          yield next.bytes
          next.taken()
        } else if (ended) return
        else await more.rung()
      }
    },
  }
}
