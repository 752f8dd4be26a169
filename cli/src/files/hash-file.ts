import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Algorithm } from './checksum.ts'
import { hashWorker, type HashTask } from './hash-worker.ts'

/** Hashes a file while it is written, from the bytes on the disk. */
export interface FileHash {
  /** Reports the length of the file so far, in bytes. */
  written(upTo: number): void
  /** The hash of the file, in hexadecimal digits. */
  digest(): Promise<string>
  end(): Promise<void>
}

/** Bytes. A thread takes longer to start than a smaller file takes to hash. */
const worthAThread = 32 * 1024 * 1024

/** @param size bytes that are expected */
export const hashFile = (path: string, size: number, algorithm: Algorithm): FileHash =>
  size < worthAThread ? hashAfterwards(path, algorithm) : hashInThread(path, algorithm)

/**
 * The hash of a file as it is, in hexadecimal digits.
 * @throws errors of the system
 */
export async function hashOf(path: string, algorithm: Algorithm): Promise<string> {
  const hash = createHash(algorithm)
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Buffer)
  return hash.digest('hex')
}

const hashAfterwards = (path: string, algorithm: Algorithm): FileHash => ({
  written: () => undefined,
  digest: () => hashOf(path, algorithm),
  end: () => Promise.resolve(),
})

/** Bytes between two messages. */
const stepBytes = 8 * 1024 * 1024

function hashInThread(path: string, algorithm: Algorithm): FileHash {
  const task: HashTask = { hashFile: path, algorithm }
  const worker = new Worker(hashWorker, { eval: true, workerData: task })
  const failed = once(worker, 'error').then(([error]) => {
    throw error
  })
  failed.catch(() => undefined)
  let bytes = 0
  let last = 0
  return {
    written(upTo) {
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
