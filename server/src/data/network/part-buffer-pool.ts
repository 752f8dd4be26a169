import { StoreUnavailableError } from '../backend/backend.ts'
import { gibibyte } from '../../domain/sizes.ts'

/** Memory for the parts of all uploads to an object store. */
export interface PartBufferPool {
  /**
   * The buffers of one upload.
   * @param sender sender of the upload: all uploads of one sender get at most half of the memory, or one part if that is more. Without
   * one, the upload may get all.
   */
  readonly forUpload: (sender?: string | null) => UploadBuffers
}

export interface UploadBuffers {
  /**
   * Memory for one more part, with arbitrary content: for a whole part, or for a smaller one when memory is short. Waits
   * when there is none.
   * @param min the fewest bytes; a whole part when absent
   * @param wanted bytes, at least `min`; a whole part when absent
   * @throws StoreUnavailableError after a long wait, the reason of the signal
   */
  readonly acquire: (signal: AbortSignal, min?: number, wanted?: number) => Promise<Uint8Array<ArrayBuffer>>
  /** Returns memory that is no longer read or written. */
  readonly release: (memory: Uint8Array<ArrayBuffer>) => void
  /** Gives memory that may still be in use to the garbage collector. */
  readonly discard: (memory: Uint8Array<ArrayBuffer>) => void
}

export interface PartBufferPoolOptions {
  /** Bytes of a whole part. */
  readonly size: number
  /** Bytes of all uploads above which no upload gets a second part, and each part has the minimum size. */
  readonly shared: number
  /** The most bytes of all uploads. Above `shared`, each part is the only one of its upload. */
  readonly max?: number
  /** Bytes of the process for all parts, which bound the limits above. One part is always allowed. */
  readonly memory?: number
  /** Milliseconds that an upload waits at most without the release of any memory. */
  readonly timeout?: number
}

interface Upload {
  readonly sender: string | null
  /** Parts. */
  held: number
}

/** Bytes. */
interface WantedBytes {
  readonly min: number
  readonly max: number
}

interface WaitingUpload {
  readonly upload: Upload
  readonly wanted: WantedBytes
  readonly serve: (bytes: number) => void
  /** Lets it wait for the whole timeout again. */
  readonly refresh: () => void
}

/**
 * An upload without memory gets it before uploads that want more, and beyond the shared memory: a few fast uploads use all
 * shared memory, and many slow ones still make progress. Uploads without memory get it in the order of their requests. The
 * slow uploads of one sender leave half of the memory to others. An upload cannot deadlock with itself, because the store
 * returns the parts that it holds.
 */
export function partBufferPool({
  size,
  shared: mostShared,
  max: most = Math.max(4 * size, gibibyte),
  memory: available = Infinity,
  timeout = 300_000,
}: PartBufferPoolOptions): PartBufferPool {
  const max = Math.min(most, Math.max(size, available))
  const shared = Math.min(mostShared, max)
  /** Whole parts only. */
  const free: Uint8Array<ArrayBuffer>[] = []
  const waiting = new Set<WaitingUpload>()
  /** Bytes. */
  let taken = 0
  const maxPerSender = Math.max(size, Math.floor(max / 2))
  /** Bytes of each sender that has any. */
  const takenBySender = new Map<string, number>()

  /** Bytes that are left to the sender of an upload. */
  const leftToSender = ({ sender }: Upload) =>
    sender === null ? Infinity : maxPerSender - (takenBySender.get(sender) ?? 0)
  /** Available bytes: a multiple of the minimum, which some stores require, or a whole part; 0 for none. */
  const allowance = (upload: Upload, { min, max: wanted }: WantedBytes) => {
    const toSender = leftToSender(upload)
    const left = Math.min(shared - taken, toSender)
    if (left >= wanted) return wanted
    if (left >= min) return left - (left % min)
    return upload.held === 0 && min <= Math.min(max - taken, toSender) ? min : 0
  }
  const count = ({ sender }: Upload, bytes: number) => {
    taken += bytes
    if (sender === null) return
    const bySender = (takenBySender.get(sender) ?? 0) + bytes
    if (bySender === 0) takenBySender.delete(sender)
    else takenBySender.set(sender, bySender)
  }
  const grant = (upload: Upload, bytes: number) => {
    count(upload, bytes)
    upload.held += 1
    const used = bytes === size ? free.pop() : undefined
    return used ?? new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer)
  }
  /** The upload without memory that has waited longest, if its sender may have more. */
  const first = () =>
    waiting.values().find(({ upload, wanted }) => upload.held === 0 && wanted.min <= leftToSender(upload))
  const serveNext = () => {
    for (;;) {
      // While it needs more than there is, others wait: they would take what it waits for.
      const next = first() ?? waiting.values().find(({ upload, wanted }) => allowance(upload, wanted) > 0)
      const bytes = next === undefined ? 0 : allowance(next.upload, next.wanted)
      if (next === undefined || bytes === 0) return
      next.serve(bytes)
    }
  }
  const release = (upload: Upload, bytes: number) => {
    count(upload, -bytes)
    upload.held -= 1
    serveNext()
    for (const { refresh } of waiting) refresh()
  }
  const wait = (upload: Upload, wanted: WantedBytes, signal: AbortSignal) =>
    new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      const leave = () => {
        waiting.delete(entry)
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      /** What waits behind it may need less. */
      const giveUp = (reason: Error) => {
        leave()
        reject(reason)
        serveNext()
      }
      const entry: WaitingUpload = {
        upload,
        wanted,
        serve(bytes) {
          leave()
          resolve(grant(upload, bytes))
        },
        refresh() {
          timer.refresh()
        },
      }
      const onAbort = () => {
        giveUp(signal.reason as Error)
      }
      const timer = setTimeout(() => {
        giveUp(new StoreUnavailableError('too many uploads are under way at once'))
      }, timeout)
      signal.addEventListener('abort', onAbort)
      waiting.add(entry)
    })

  return {
    forUpload(sender = null) {
      const upload = { sender, held: 0 }
      return {
        async acquire(signal, min = size, wanted = size) {
          signal.throwIfAborted()
          const bytes = first() === undefined ? allowance(upload, { min, max: wanted }) : 0
          return bytes > 0 ? grant(upload, bytes) : wait(upload, { min, max: wanted }, signal)
        },
        release(memory) {
          if (memory.length === size && (free.length + 1) * size <= shared) free.push(memory)
          release(upload, memory.length)
          // No memory is kept while there are no uploads.
          if (taken === 0) free.length = 0
        },
        discard(memory) {
          release(upload, memory.length)
        },
      }
    },
  }
}
