import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import type { Engine } from '@svc/encryption'
import { createNodeEngine } from '@svc/encryption/node'
import type { Program } from '../core/program.ts'

/** More than these are held up by the connection and the disk. */
const mostThreads = 2

/**
 * Native ciphers: two megabytes hold this thread up for less than two milliseconds. Threads beside it take more time of the
 * processors in all, so that they only pay where there is one for each, besides this one and the system. A passphrase
 * that a person thought of takes 256 MB for a second, so only one is worked on at a time.
 */
export function createCliEngine({ script }: Pick<Program, 'script'>): Engine {
  const threads = Math.min(mostThreads, Math.max(0, availableParallelism() - 2))
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
