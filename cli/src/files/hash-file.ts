import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Algorithm } from './checksum.ts'
import { hashWorker, type HashTask } from './hash-worker.ts'
import type { Location } from './item.ts'

/** Hashes a file while it is written. */
export interface FileHash {
  /**
   * Reports bytes that were written.
   * @param upTo the length of the file so far, in bytes
   */
  written(chunks: readonly Uint8Array[], upTo: number): void
  /** The hash of the file, in hexadecimal digits. */
  digest(): Promise<string>
  end(): Promise<void>
}

/** Bytes. A thread takes longer to start than a smaller file takes to hash. */
const worthAThread = 32 * 1024 * 1024

interface ExpectedFile {
  /** Bytes that are expected. */
  readonly size: number
  /** Bytes that are already there. */
  readonly found: number
}

export function hashFile(path: string, algorithm: Algorithm, { size, found }: ExpectedFile): FileHash {
  if (size >= worthAThread) return hashInThread(path, algorithm, found)
  return found === 0 ? hashWritten(algorithm) : hashAfterwards(path, algorithm, size)
}

/** Bytes of a buffer that is read. */
const maxBufferBytes = 1024 * 1024

/**
 * The hash of a file as it is, in hexadecimal digits.
 * @param size bytes of the file. Another size changes only the speed
 * @throws errors of the system
 */
export async function hashOf(path: Location, algorithm: Algorithm, size: number): Promise<string> {
  const hash = createHash(algorithm)
  // Each read allocates a whole buffer, which collects as garbage when thousands of small files are hashed.
  const highWaterMark = Math.min(maxBufferBytes, size + 1)
  for await (const chunk of createReadStream(path, { highWaterMark })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/**
 * As `hashOf`; a thread hashes a large file, so that the program continues meanwhile.
 * @param size bytes of the file
 * @throws errors of the system; the signal's reason
 */
export async function hashContent(
  path: Location,
  {
    algorithm,
    size,
    signal,
  }: { readonly algorithm: Algorithm; readonly size: number; readonly signal: AbortSignal },
): Promise<string> {
  if (size < worthAThread || typeof path !== 'string') return hashOf(path, algorithm, size)
  const hash = hashInThread(path, algorithm, size)
  const ended = Promise.withResolvers<never>()
  const stop = () => {
    ended.reject(signal.reason)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([hash.digest(), ended.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    await hash.end()
  }
}

const hashAfterwards = (path: string, algorithm: Algorithm, size: number): FileHash => ({
  written: () => undefined,
  digest: () => hashOf(path, algorithm, size),
  end: () => Promise.resolve(),
})

/** A small file costs more to read again than to hash. */
function hashWritten(algorithm: Algorithm): FileHash {
  const hash = createHash(algorithm)
  return {
    written(chunks) {
      for (const chunk of chunks) hash.update(chunk)
    },
    digest: () => Promise.resolve(hash.digest('hex')),
    end: () => Promise.resolve(),
  }
}

/** Bytes between two messages. */
const stepBytes = 8 * 1024 * 1024

function hashInThread(path: string, algorithm: Algorithm, found: number): FileHash {
  const task: HashTask = { hashFile: path, algorithm }
  const worker = new Worker(hashWorker, { eval: true, workerData: task })
  const failed = once(worker, 'error').then(([error]) => {
    throw error
  })
  failed.catch(() => undefined)
  let bytes = 0
  let last = found
  return {
    written(_chunks, upTo) {
      last = upTo
      if (upTo - bytes < stepBytes) return
      bytes = upTo
      worker.postMessage(upTo)
    },
    async digest() {
      const digest = once(worker, 'message').then(([value]) => String(value))
      worker.postMessage(last)
      worker.postMessage(-1)
      return Promise.race([digest, failed])
    },
    async end() {
      await worker.terminate()
    },
  }
}
