import {
  MissingDataError,
  NoSpaceError,
  type DataBackend,
  type RandomReader,
  type ResumableWrites,
} from './backend/backend.ts'
import type { Inventory } from './backend/inventory.ts'

/** What was asked of a store that failed. */
export type StoreOperation =
  | 'add'
  | 'begin'
  | 'append'
  | 'finish'
  | 'abandon'
  | 'get'
  | 'remove'
  | 'ping'
  | 'freeSpace'
  | 'list'
  | 'inspect'
  | 'quarantine'

/** `missing`: nothing is stored under a key that was promised; `full`: no room; `other`: anything else. */
export type StoreFailure = 'missing' | 'full' | 'other'

export type WatchStore = (operation: StoreOperation, failure: StoreFailure) => void

type Tell = <Result>(operation: StoreOperation, work: Promise<Result>) => Promise<Result>

/**
 * The same store, whose failures are told. What the other side of it does wrong is none: a source that breaks off, and a
 * signal that is aborted.
 */
export function instrumentedBackend(data: DataBackend, watch: WatchStore): DataBackend {
  const { open, ping, freeSpace, resumable, removeMany, inventory } = data
  const told: Tell = async (operation, work) => {
    try {
      return await work
    } catch (error) {
      watch(operation, failureOf(error))
      throw error
    }
  }
  return {
    ...data,
    async add(key, source, signal) {
      const foreign = { failed: false }
      try {
        await data.add(key, remembering(source, foreign), signal)
      } catch (error) {
        if (!foreign.failed && !signal.aborted) watch('add', failureOf(error))
        throw error
      }
    },
    get: async (key, range) => tellingRead(await told('get', data.get(key, range)), watch),
    remove: (key) => told('remove', data.remove(key)),
    ...(removeMany && {
      removeMany: async (keys: readonly string[]) => {
        const failures = await told('remove', removeMany(keys))
        for (const error of failures.values()) watch('remove', failureOf(error))
        return failures
      },
    }),
    ...(open && { open: async (key: string) => readerOf(await told('get', open(key)), told) }),
    ...(ping && { ping: (signal: AbortSignal) => told('ping', ping(signal)) }),
    ...(freeSpace && { freeSpace: () => told('freeSpace', freeSpace()) }),
    ...(resumable && { resumable: watchedWrites(resumable, watch, told) }),
    ...(inventory && { inventory: watchedInventory(inventory, watch, told) }),
  }
}

function watchedInventory(inventory: Inventory, watch: WatchStore, told: Tell): Inventory {
  const { quarantine } = inventory
  return {
    async *list() {
      try {
        yield* inventory.list()
      } catch (error) {
        watch('list', failureOf(error))
        throw error
      }
    },
    inspect: (key) => told('inspect', inventory.inspect(key)),
    removeUnfinished: (key) => told('remove', inventory.removeUnfinished(key)),
    ...(quarantine && { quarantine: (key: string) => told('quarantine', quarantine(key)) }),
  }
}

function watchedWrites(writes: ResumableWrites, watch: WatchStore, told: Tell): ResumableWrites {
  return {
    begin: (key) => told('begin', writes.begin(key)),
    async append(key, from, source, { signal, commit }) {
      const foreign = { failed: false }
      const keep: typeof commit = (stored) => noting(foreign, commit(stored))
      try {
        return await writes.append(key, from, remembering(source, foreign), { signal, commit: keep })
      } catch (error) {
        if (!foreign.failed && !signal.aborted) watch('append', failureOf(error))
        throw error
      }
    },
    finish: (key, stored) => told('finish', writes.finish(key, stored)),
    abandon: (key, stored) => told('abandon', writes.abandon(key, stored)),
  }
}

function failureOf(error: unknown): StoreFailure {
  if (error instanceof MissingDataError) return 'missing'
  return error instanceof NoSpaceError ? 'full' : 'other'
}

/** Whether it was the other side that failed. */
interface Foreign {
  failed: boolean
}

async function noting<Result>(foreign: Foreign, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    foreign.failed = true
    throw error
  }
}

/** The same chunks; says whether it was they that failed. */
async function* remembering(source: AsyncIterable<Uint8Array>, foreign: Foreign): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await noting(foreign, chunks.next())
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await chunks.return?.()
  }
}

async function* tellingRead(
  source: AsyncIterable<Uint8Array>,
  watch: WatchStore,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    watch('get', failureOf(error))
    throw error
  }
}

function readerOf(reader: RandomReader, told: Tell): RandomReader {
  return { ...reader, read: (into, position) => told('get', reader.read(into, position)) }
}
