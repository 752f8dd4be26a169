import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Batch } from '../engine/batch.ts'
import { openBatch, sealBatch } from '../engine/chunk-cipher.ts'
import type { Engine } from '../engine/engine.ts'
import { createPool, type Thread, type ThreadResult, type ThreadEvents } from '../engine/pool.ts'
import { createMemoryPool } from '../engine/memory-pool.ts'
import { nodeCipher } from './cipher.ts'
import { nodeScrypt } from './scrypt.ts'

/** More than these wait for input and output. */
const maxThreads = 4
/** Batches on their way for each thread, so that it finds the next when it is done while this one reads and writes. */
const lanesOfThread = 4
/** Chunks from which on threads are worth their start: what comes before is done here, in a few milliseconds. */
const threadsFrom = 63

export interface NodeEngineOptions {
  /** Threads beside the calling one; 0 does everything there. */
  readonly threads?: number
  /** The worker's file, for those who put the sources into one. */
  readonly worker?: URL
}

function startThread(worker: URL, { answered, broke }: ThreadEvents): Thread {
  const thread = new Worker(worker)
  // A thread that waits for work does not keep the process alive; a pending task does.
  let busy = 0
  thread.unref()
  thread.on('message', (answer: ThreadResult) => {
    busy -= 1
    if (busy === 0) thread.unref()
    answered(answer)
  })
  thread.on('error', (error: Error) => broke(error))
  return {
    post: (task, transfer) => {
      busy += 1
      thread.ref()
      thread.postMessage(task, transfer)
    },
    end: () => thread.terminate(),
  }
}

/** Native ciphers: the beginning of a file on the calling thread, the rest on threads. */
export function createNodeEngine({
  threads = Math.min(maxThreads, availableParallelism()),
  worker = new URL(`./worker${extname(import.meta.url)}`, import.meta.url),
}: NodeEngineOptions = {}): Engine {
  const pool = createPool(threads, (events) => startThread(worker, events))
  const isHere = ({ first }: Batch) => threads === 0 || first < threadsFrom
  const lanes = Math.max(1, threads * lanesOfThread)
  return {
    lanes,
    memory: createMemoryPool(lanes + 2),
    seal: async (key, batch) => {
      if (!isHere(batch)) return (await pool.run({ kind: 'seal', key, batch })).buffer
      sealBatch(nodeCipher, key, batch)
      return batch.buffer
    },
    open: async (key, batch) => {
      if (!isHere(batch)) return pool.run({ kind: 'open', key, batch })
      return { opened: openBatch(nodeCipher, key, batch), buffer: batch.buffer }
    },
    scrypt: nodeScrypt,
    close: pool.end,
  }
}
