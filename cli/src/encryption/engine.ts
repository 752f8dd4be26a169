import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import type { Engine } from '@svc/encryption'
import { createNodeEngine } from '@svc/encryption/node'
import type { Program } from '../program/program.ts'

/** More threads would wait for the connection and the disk. */
const maxThreads = 2

/**
 * Native ciphers: two megabytes block this thread for less than two milliseconds. Threads use more processor time in total, so
 * they only help where each has a processor, besides this thread and the system. A typed passphrase takes 256 MB for a second,
 * so they are derived one at a time.
 */
export function createCliEngine({ script }: Pick<Program, 'script'>): Engine {
  const threads = Math.min(maxThreads, Math.max(0, availableParallelism() - 2))
  const worker = typeof script === 'string' ? pathToFileURL(script) : script
  const engine = createNodeEngine({ threads, worker })
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...engine,
    scrypt: (work) => {
      const result = last.then(() => engine.scrypt(work))
      last = result.catch(() => undefined)
      return result
    },
  }
}
