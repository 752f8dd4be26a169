import type { Part } from '../network/gather-parts.ts'
import type { PartShare } from '../network/part-buffer-pool.ts'

/** Parts of one file that are sent side by side. */
export interface PartsUnderWay {
  /** Memory for one more part: those under way and the one that is filled are what an upload may hold. */
  readonly take: (signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>
  /** Waits for a part, and takes its memory back. */
  readonly start: (part: Part, sending: Promise<unknown>) => void
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>
}

/** @param failure aborted with the first error */
export function partsUnderWay(share: PartShare, most: number, failure: AbortController): PartsUnderWay {
  const underWay = new Set<Promise<void>>()

  const send = async (part: Part, sending: Promise<unknown>) => {
    try {
      await sending
      part.give()
    } catch (error) {
      part.forfeit()
      failure.abort(error)
    }
  }
  return {
    async take(signal) {
      while (underWay.size >= most) await Promise.race(underWay)
      return share.take(signal)
    },
    start(part, sending) {
      const sent: Promise<void> = send(part, sending).finally(() => underWay.delete(sent))
      underWay.add(sent)
    },
    async settled() {
      await Promise.all(underWay)
    },
  }
}
