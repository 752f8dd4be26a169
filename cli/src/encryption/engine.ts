import { pathToFileURL } from 'node:url'
import type { Engine } from '@svc/encryption'
import { createNodeEngine } from '@svc/encryption/node'
import type { Program } from '../program.ts'

/**
 * Native ciphers, on threads beside this one from a file's fifth megabyte on. A passphrase that a person thought of
 * takes 256 MB for a second, so only one is worked on at a time.
 */
export function createCliEngine({ script }: Pick<Program, 'script'>): Engine {
  const engine = createNodeEngine({ worker: pathToFileURL(script) })
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
