import { StoreUnavailableError } from '../backend/backend.ts'

/** Memory for the parts of all uploads that go to a store which takes them in parts only. */
export interface PartBufferPool {
  /** The share of one upload. */
  readonly open: () => PartShare
}

export interface PartShare {
  /**
   * Memory for one more part, with arbitrary content: a whole one, or less where there is little. Waits where there
   * is none.
   * @param least bytes that will do; a whole part when absent
   * @param most bytes that are wanted, at least as many; a whole part when absent
   * @throws StoreUnavailableError after a long wait, the reason of the signal
   */
  readonly take: (signal: AbortSignal, least?: number, most?: number) => Promise<Uint8Array<ArrayBuffer>>
  /** Takes memory back that nothing reads or writes any more. */
  readonly give: (memory: Uint8Array<ArrayBuffer>) => void
  /** Takes leave of memory that may still be in use: it is left to the garbage collector. */
  readonly forfeit: (memory: Uint8Array<ArrayBuffer>) => void
}

export interface PartBufferPoolOptions {
  /** Bytes of a whole part. */
  readonly size: number
  /** Bytes, of all uploads, from which on nobody gets a second part, and each no more than will do. */
  readonly shared: number
  /** Bytes of all uploads at most. Above `shared`, each part is the only one of its upload. */
  readonly most?: number
  /** Milliseconds that an upload waits at most. */
  readonly patience?: number
}

interface Holder {
  /** Parts. */
  held: number
}

/** Bytes. */
interface Wanted {
  readonly least: number
  readonly most: number
}

interface Waiting {
  readonly holder: Holder
  readonly wanted: Wanted
  readonly serve: (bytes: number) => void
}

const gibibyte = 1024 ** 3

/**
 * An upload that holds nothing gets memory before those that want more than they have, and beyond what these share:
 * a few fast uploads use all that is shared, and many slow ones still go on side by side. Nobody can wait for
 * himself, since what he holds then is on its way to the store, and comes back.
 */
export function partBufferPool({
  size,
  shared,
  most = Math.max(4 * size, gibibyte),
  patience = 60_000,
}: PartBufferPoolOptions): PartBufferPool {
  /** Whole parts only. */
  const free: Uint8Array<ArrayBuffer>[] = []
  const waiting = new Set<Waiting>()
  /** Bytes. */
  let taken = 0

  /** Bytes that may be had now: multiples of the least, which some stores want, or a whole part; 0 for none. */
  const allowance = ({ held }: Holder, { least, most: wanted }: Wanted) => {
    const left = shared - taken
    if (left >= wanted) return wanted
    if (left >= least) return left - (left % least)
    return held === 0 && taken + least <= most ? least : 0
  }
  const grant = (holder: Holder, bytes: number) => {
    taken += bytes
    holder.held += 1
    const used = bytes === size ? free.pop() : undefined
    return used ?? new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer)
  }
  const serveNext = () => {
    for (;;) {
      const allowed = [...waiting].filter(({ holder, wanted }) => allowance(holder, wanted) > 0)
      const next = allowed.find(({ holder }) => holder.held === 0) ?? allowed[0]
      if (next === undefined) return
      next.serve(allowance(next.holder, next.wanted))
    }
  }
  const release = (holder: Holder, bytes: number) => {
    taken -= bytes
    holder.held -= 1
    serveNext()
  }
  const wait = (holder: Holder, wanted: Wanted, signal: AbortSignal) =>
    new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      const leave = () => {
        waiting.delete(entry)
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      const entry: Waiting = {
        holder,
        wanted,
        serve(bytes) {
          leave()
          resolve(grant(holder, bytes))
        },
      }
      const onAbort = () => {
        leave()
        reject(signal.reason as Error)
      }
      const timer = setTimeout(() => {
        leave()
        reject(new StoreUnavailableError('too many uploads are under way at once'))
      }, patience)
      signal.addEventListener('abort', onAbort)
      waiting.add(entry)
    })

  return {
    open() {
      const holder = { held: 0 }
      return {
        async take(signal, least = size, wanted = size) {
          signal.throwIfAborted()
          const bytes = allowance(holder, { least, most: wanted })
          return bytes > 0 ? grant(holder, bytes) : wait(holder, { least, most: wanted }, signal)
        },
        give(memory) {
          if (memory.length === size && (free.length + 1) * size <= shared) free.push(memory)
          release(holder, memory.length)
          // Nothing is kept for uploads that may never come.
          if (taken === 0) free.length = 0
        },
        forfeit(memory) {
          release(holder, memory.length)
        },
      }
    },
  }
}
