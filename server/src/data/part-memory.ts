import { StoreUnavailableError } from './backend.ts'

/** Memory for the parts of all uploads that go to a store which takes them in parts only. */
export interface PartMemory {
  /** The share of one upload. */
  readonly open: () => PartShare
}

export interface PartShare {
  /**
   * Memory for one more part, with arbitrary content. Waits where there is none.
   * @throws StoreUnavailableError after a long wait, the reason of the signal
   */
  readonly take: (signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>
  /** Takes memory back that nothing reads or writes any more. */
  readonly give: (memory: Uint8Array<ArrayBuffer>) => void
  /** Takes leave of memory that may still be in use: it is left to the garbage collector. */
  readonly forfeit: () => void
}

export interface PartMemoryOptions {
  /** Bytes of one part. */
  readonly size: number
  /** Parts, of all uploads, from which on nobody gets a second one. */
  readonly shared: number
  /** Parts of all uploads at most. Above `shared`, each is the only one of its upload. */
  readonly most: number
  /** Milliseconds that an upload waits at most. */
  readonly patience: number
  /** Milliseconds that memory is kept for the next upload once nobody holds any. */
  readonly keep: number
}

interface Waiting {
  readonly holder: { held: number }
  readonly serve: () => void
}

/**
 * An upload that holds nothing gets memory before those that want more than they have, and beyond what these share:
 * a few fast uploads use all that is shared, and many slow ones still go on side by side. Nobody can wait for
 * himself, since what he holds then is on its way to the store, and comes back.
 */
export function partMemory({ size, shared, most, patience, keep }: PartMemoryOptions): PartMemory {
  const free: Uint8Array<ArrayBuffer>[] = []
  const waiting = new Set<Waiting>()
  let taken = 0
  let forgetting: NodeJS.Timeout | undefined

  const mayTake = ({ held }: { readonly held: number }) => taken < (held === 0 ? most : shared)
  /**
   * Nothing is kept for uploads that may never come; but each new part of 16 MiB makes V8 look at its whole heap soon,
   * which would stop the first moments of every upload several times.
   */
  const forgetLater = () => {
    forgetting = setTimeout(() => {
      free.length = 0
    }, keep).unref()
  }
  const grant = (holder: { held: number }) => {
    clearTimeout(forgetting)
    taken += 1
    holder.held += 1
    return free.pop() ?? new Uint8Array(Buffer.allocUnsafeSlow(size).buffer)
  }
  const serveNext = () => {
    const allowed = [...waiting].filter(({ holder }) => mayTake(holder))
    const next = allowed.find(({ holder }) => holder.held === 0) ?? allowed[0]
    next?.serve()
  }
  const release = (holder: { held: number }) => {
    taken -= 1
    holder.held -= 1
    serveNext()
    if (taken === 0) forgetLater()
  }
  const wait = (holder: { held: number }, signal: AbortSignal) =>
    new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      const leave = () => {
        waiting.delete(entry)
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      const entry: Waiting = {
        holder,
        serve() {
          leave()
          resolve(grant(holder))
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
        async take(signal) {
          signal.throwIfAborted()
          return mayTake(holder) ? grant(holder) : wait(holder, signal)
        },
        give(memory) {
          if (free.length < shared) free.push(memory)
          release(holder)
        },
        forfeit() {
          release(holder)
        },
      }
    },
  }
}
