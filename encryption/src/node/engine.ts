import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Batch } from '../engine/batch.ts'
import { decryptBatch, encryptBatch } from '../engine/chunk-cipher.ts'
import type { Engine } from '../engine/engine.ts'
import { createPool, type Thread, type ThreadResult, type ThreadEvents } from '../engine/pool.ts'
import { createMemoryPool } from '../engine/memory-pool.ts'
import { nodeCipher } from './cipher.ts'
import { nodeScrypt } from './scrypt.ts'

/** More threads would wait for input and output. */
const maxThreads = 4
/** Batches per thread: the next one is ready while the calling thread reads and writes. */
const batchesPerThread = 4
/** The first chunks are encrypted on the calling thread, in less time than threads take to start. */
const threadsFrom = 63

export interface NodeEngineOptions {
  /** Threads in addition to the calling one; with 0 it does all work. */
  readonly threads?: number
  /** Address of the worker's file, for programs that bundle the sources. */
  readonly worker?: URL
}

function startThread(worker: URL, { completed, failed }: ThreadEvents): Thread {
  const thread = new Worker(worker)
  // A thread that waits for work does not keep the process alive; a pending task does.
  let busy = 0
  thread.unref()
  thread.on('message', (result: ThreadResult) => {
    busy -= 1
    if (busy === 0) thread.unref()
    completed(result)
  })
  thread.on('error', (error: Error) => failed(error))
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
  const concurrency = Math.max(1, threads * batchesPerThread)
  return {
    concurrency,
    memory: createMemoryPool(concurrency + 2),
    encrypt: async (key, batch) => {
      if (!isHere(batch)) return (await pool.run({ kind: 'encrypt', key, batch })).buffer
      encryptBatch(nodeCipher, key, batch)
      return batch.buffer
    },
    decrypt: async (key, batch) => {
      if (!isHere(batch)) return pool.run({ kind: 'decrypt', key, batch })
      return { decrypted: decryptBatch(nodeCipher, key, batch), buffer: batch.buffer }
    },
    scrypt: nodeScrypt,
    close: pool.end,
  }
}
