import { NoSpaceError, type DataBackend } from '../../src/data/backend.ts'

/** A store whose disk breaks. */
export class BrokenDiskError extends Error {
  override readonly name = 'BrokenDiskError'
}

export interface FragileBackend extends DataBackend {
  /** Lets the n-th chunk of the next `add` fail, counted from 1; `undefined` heals it. */
  breakAt(chunk: number | undefined, why?: 'broken' | 'full'): void
  /** How many chunks the last `add` was given. */
  readonly chunks: () => number
}

/** A backend over another one, whose writes fail when they are told to. */
export function fragileBackend(sound: DataBackend): FragileBackend {
  let fatal: number | undefined
  let reason: 'broken' | 'full' = 'broken'

  let count = 0

  async function* fragile(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    count = 0
    for await (const chunk of source) {
      count += 1
      if (count === fatal) {
        throw reason === 'full' ? new NoSpaceError('no room') : new BrokenDiskError('the disk is broken')
      }
      yield chunk
    }
  }
  return {
    ...sound,
    chunks: () => count,
    add: (key, source, signal) => sound.add(key, fragile(source), signal),
    breakAt(chunk, why = 'broken') {
      fatal = chunk
      reason = why
    },
  }
}
