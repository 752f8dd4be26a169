import { NoSpaceError, StoreUnavailableError, type DataBackend } from '../../../src/data/backend/backend.ts'

/** A store whose disk fails. */
export class BrokenDiskError extends Error {
  override readonly name = 'BrokenDiskError'
}

export type Breakage = 'broken' | 'full' | 'unavailable'

export interface FragileBackend extends DataBackend {
  /**
   * Makes the n-th chunk of the next `add` or `append` fail, counted from 1; `undefined` removes the fault.
   */
  breakAt(chunk: number | undefined, why?: Breakage): void
  /** Makes finishing and removing of resumable uploads fail, or removes the fault. */
  breakEnds(why: Breakage | undefined): void
  /** The number of chunks that the last `add` or `append` received. */
  readonly chunks: () => number
}

/** Wraps a backend so that its writes fail on request. */
export function fragileBackend(sound: DataBackend): FragileBackend {
  let fatal: number | undefined
  let reason: Breakage = 'broken'
  let broken: Breakage | undefined
  let count = 0

  async function* fragile(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    // Parallel calls are possible.
    let chunks = 0
    for await (const chunk of source) {
      chunks += 1
      count = chunks
      if (chunks === fatal) throw failure(reason)
      yield chunk
    }
  }
  const unlessBroken = async (work: () => Promise<void>): Promise<void> => {
    if (broken !== undefined) throw failure(broken)
    await work()
  }
  const { resumable } = sound
  return {
    ...sound,
    chunks: () => count,
    add: (key, source, signal, sender) => sound.add(key, fragile(source), signal, sender),
    ...(resumable && {
      resumable: {
        begin: resumable.begin,
        append: (key, from, source, options) => resumable.append(key, from, fragile(source), options),
        finish: (key, stored) => unlessBroken(() => resumable.finish(key, stored)),
        discard: (key, stored) => unlessBroken(() => resumable.discard(key, stored)),
      },
    }),
    remove: (key) => unlessBroken(() => sound.remove(key)),
    breakAt(chunk, why = 'broken') {
      fatal = chunk
      reason = why
    },
    breakEnds(why) {
      broken = why
    },
  }
}

function failure(why: Breakage): Error {
  switch (why) {
    case 'broken':
      return new BrokenDiskError('the disk is broken')
    case 'full':
      return new NoSpaceError('no room')
    case 'unavailable':
      return new StoreUnavailableError('the store is unavailable')
  }
}
