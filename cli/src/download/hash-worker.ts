import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'

/** What tells the bundle, run as a worker, that it is to hash a file. */
export interface HashTask {
  readonly hashFile: string
}

const isTask = (data: unknown): data is HashTask =>
  typeof data === 'object' && data !== null && 'hashFile' in data

const blockBytes = 1024 * 1024

/**
 * Hashes a file while it grows, up to the position that each message names; -1 asks for the digest.
 * @returns whether this thread was started to do so
 */
export function hashIfWorker(): boolean {
  if (isMainThread || parentPort === null || !isTask(workerData)) return false
  const port = parentPort
  const file = openSync(workerData.hashFile, 'r')
  const hash = createHash('md5')
  const block = Buffer.allocUnsafeSlow(blockBytes)
  let position = 0
  port.on('message', (upTo: number) => {
    if (upTo === -1) {
      closeSync(file)
      port.postMessage(hash.digest('hex'))
      port.close()
      return
    }
    while (position < upTo) {
      const bytes = readSync(file, block, 0, Math.min(blockBytes, upTo - position), position)
      if (bytes === 0) return
      hash.update(block.subarray(0, bytes))
      position += bytes
    }
  })
  return true
}
