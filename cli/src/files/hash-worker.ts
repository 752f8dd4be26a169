import type * as crypto from 'node:crypto'
import type * as fs from 'node:fs'
import type * as threads from 'node:worker_threads'
import type { Algorithm } from './checksum.ts'

/** The task of a thread: a file that grows. */
export interface HashTask {
  readonly hashFile: string
  readonly algorithm: Algorithm
}

/**
 * Hashes a file while it grows, up to the position in each message; -1 requests the digest. The thread receives this
 * function as text, because loading the whole program takes as long as hashing 100 MB. So it must not use anything outside
 * itself.
 */
function hashGrowingFile(load: NodeJS.Require): void {
  const { createHash } = load('node:crypto') as typeof crypto
  const { closeSync, openSync, readSync } = load('node:fs') as typeof fs
  const thread = load('node:worker_threads') as typeof threads
  const { parentPort } = thread
  const task = thread.workerData as HashTask
  const file = openSync(task.hashFile, 'r')
  const hash = createHash(task.algorithm)
  const block = Buffer.allocUnsafeSlow(1024 * 1024)
  let position = 0
  parentPort?.on('message', (upTo: number) => {
    if (upTo === -1) {
      closeSync(file)
      parentPort.postMessage(hash.digest('hex'))
      parentPort.close()
      return
    }
    while (position < upTo) {
      const bytes = readSync(file, block, 0, Math.min(block.length, upTo - position), position)
      if (bytes === 0) return
      hash.update(block.subarray(0, bytes))
      position += bytes
    }
  })
}

/** The source of the thread. */
export const hashWorker = `(${hashGrowingFile.toString()})(require)`
