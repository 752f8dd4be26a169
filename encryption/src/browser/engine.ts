import type { Engine } from '../engine/engine.ts'
import { createPool, type Thread, type ThreadResult, type ThreadEvents } from '../engine/pool.ts'
import { createMemoryPool } from '../engine/memory-pool.ts'

/** More than these wait for input and output, and each takes memory. */
const maxThreads = 8

export interface BrowserEngineOptions {
  /** Web workers at most. */
  readonly threads?: number
}

function startThread({ answered, broke }: ThreadEvents): Thread {
  // Written out like this, because this is how bundlers find the worker's file.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<ThreadResult>) => answered(data))
  worker.addEventListener('error', ({ message }) => {
    worker.terminate()
    broke(new Error(`a worker of the encryption broke: ${message}`))
  })
  return {
    post: (task, transfer) => worker.postMessage(task, transfer),
    end: () => {
      worker.terminate()
      return Promise.resolve()
    },
  }
}

/** Web workers do the arithmetic: the page stays alive meanwhile. */
export function createBrowserEngine({
  threads = Math.min(maxThreads, navigator.hardwareConcurrency),
}: BrowserEngineOptions = {}): Engine {
  const pool = createPool(threads, startThread)
  // One batch for each thread, and one more that it finds when it is done.
  const lanes = threads * 2
  return {
    lanes,
    memory: createMemoryPool(lanes + 2),
    seal: async (key, batch) => (await pool.run({ kind: 'seal', key, batch })).buffer,
    open: (key, batch) => pool.run({ kind: 'open', key, batch }),
    scrypt: async (work) => new Uint8Array((await pool.run({ kind: 'scrypt', ...work })).buffer),
    close: pool.end,
  }
}
