import type { Engine } from '../engine.ts'
import { createPool, type Thread, type ThreadAnswer, type ThreadEvents } from '../pool.ts'
import { nativeChunks } from './native-chunks.ts'

/** More than these are held up by whoever reads and writes, and each takes memory. */
const mostThreads = 8

export interface BrowserEngineOptions {
  /** Web workers at most. */
  readonly threads?: number
  /** Whether the browser's own cipher is used where it has one. */
  readonly native?: boolean
}

function startThread({ answered, broke }: ThreadEvents): Thread {
  // Written out like this, because this is how bundlers find the worker's file.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<ThreadAnswer>) => answered(data))
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

/**
 * The browser's own ChaCha20-Poly1305 where it has one, which several chunks at a time keep busy on threads of the
 * browser; web workers that do it in JavaScript elsewhere. Passphrases are always a matter for a worker: the page stays
 * alive meanwhile.
 */
export async function createBrowserEngine({
  threads = Math.min(mostThreads, navigator.hardwareConcurrency),
  native = true,
}: BrowserEngineOptions = {}): Promise<Engine> {
  const pool = createPool(threads, startThread)
  const scrypt: Engine['scrypt'] = async (work) =>
    new Uint8Array((await pool.run({ kind: 'scrypt', ...work })).buffer)
  const chunks = native ? await nativeChunks() : undefined
  return {
    ...(chunks ?? {
      // One batch for each thread, and one more that it finds when it is done.
      lanes: threads * 2,
      seal: async (key, batch) => (await pool.run({ kind: 'seal', key, batch })).buffer,
      open: (key, batch) => pool.run({ kind: 'open', key, batch }),
    }),
    scrypt,
    close: pool.end,
  }
}
