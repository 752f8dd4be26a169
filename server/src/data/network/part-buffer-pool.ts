import { StoreUnavailableError } from '../backend/backend.ts'

/** Memory for the parts of all uploads to an object store. */
export interface PartBufferPool {
  /** The buffers of one upload. */
  readonly forUpload: () => UploadBuffers
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
  /** Milliseconds that an upload waits at most. */
  readonly timeout?: number
}

interface Upload {
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
}

const gibibyte = 1024 ** 3

/**
 * An upload without memory gets it before uploads that want more, and beyond the shared memory: a few fast uploads use all
 * shared memory, and many slow ones still make progress. An upload cannot deadlock with itself, because the store returns
 * the parts that it holds.
 */
export function partBufferPool({
  size,
  shared,
  max = Math.max(4 * size, gibibyte),
  timeout = 60_000,
}: PartBufferPoolOptions): PartBufferPool {
  /** Whole parts only. */
  const free: Uint8Array<ArrayBuffer>[] = []
  const waiting = new Set<WaitingUpload>()
  /** Bytes. */
  let taken = 0

  /** Available bytes: a multiple of the minimum, which some stores require, or a whole part; 0 for none. */
  const allowance = ({ held }: Upload, { min, max: wanted }: WantedBytes) => {
    const left = shared - taken
    if (left >= wanted) return wanted
    if (left >= min) return left - (left % min)
    return held === 0 && taken + min <= max ? min : 0
  }
  const grant = (upload: Upload, bytes: number) => {
    taken += bytes
    upload.held += 1
    const used = bytes === size ? free.pop() : undefined
    return used ?? new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer)
  }
  const serveNext = () => {
    for (;;) {
      const allowed = [...waiting].filter(({ upload, wanted }) => allowance(upload, wanted) > 0)
      const next = allowed.find(({ upload }) => upload.held === 0) ?? allowed[0]
      if (next === undefined) return
      next.serve(allowance(next.upload, next.wanted))
    }
  }
  const release = (upload: Upload, bytes: number) => {
    taken -= bytes
    upload.held -= 1
    serveNext()
  }
  const wait = (upload: Upload, wanted: WantedBytes, signal: AbortSignal) =>
    new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      const leave = () => {
        waiting.delete(entry)
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      const entry: WaitingUpload = {
        upload,
        wanted,
        serve(bytes) {
          leave()
          resolve(grant(upload, bytes))
        },
      }
      const onAbort = () => {
        leave()
        reject(signal.reason as Error)
      }
      const timer = setTimeout(() => {
        leave()
        reject(new StoreUnavailableError('too many uploads are under way at once'))
      }, timeout)
      signal.addEventListener('abort', onAbort)
      waiting.add(entry)
    })

  return {
    forUpload() {
      const upload = { held: 0 }
      return {
        async acquire(signal, min = size, wanted = size) {
          signal.throwIfAborted()
          const bytes = allowance(upload, { min, max: wanted })
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
