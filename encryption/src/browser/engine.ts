import type { HashingEngine } from '../engine/engine.ts'
import { createPool, type Thread, type ThreadResult, type ThreadEvents } from '../engine/pool.ts'
import { createMemoryPool } from '../engine/memory-pool.ts'

/** More workers would wait for input and output, and each takes memory. */
const maxThreads = 8

export interface BrowserEngineOptions {
  /** Maximum number of web workers. */
  readonly threads?: number
}

function startThread({ completed, failed }: ThreadEvents): Thread {
  // Bundlers find the worker's file only in this form.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<ThreadResult>) => completed(data))
  worker.addEventListener('error', ({ message }) => {
    worker.terminate()
    failed(new Error(`a worker of the encryption failed: ${message}`))
  })
  return {
    post: (task, transfer) => worker.postMessage(task, transfer),
    end: () => {
      worker.terminate()
      return Promise.resolve()
    },
  }
}

/** Encrypts in web workers, so that the page stays responsive. */
export function createBrowserEngine({
  threads = Math.min(maxThreads, navigator.hardwareConcurrency),
}: BrowserEngineOptions = {}): HashingEngine {
  const pool = createPool(threads, startThread)
  // One batch per thread, and a next one without waiting.
  const concurrency = threads * 2
  return {
    concurrency,
    memory: createMemoryPool(concurrency + 2),
    encrypt: async (key, batch) => (await pool.run({ kind: 'encrypt', key, batch })).buffer,
    decrypt: (key, batch) => pool.run({ kind: 'decrypt', key, batch }),
    scrypt: async (work) => new Uint8Array((await pool.run({ kind: 'scrypt', ...work })).buffer),
    hash: async (state, batch) => {
      const { buffer, state: next } = await pool.run({ kind: 'hash', state, batch })
      if (next === undefined) throw new Error('a worker of the encryption returned no state of a hash')
      return { buffer, state: next }
    },
    close: pool.end,
  }
}
