import {
  MissingDataError,
  NoSpaceError,
  type AppendOptions,
  type DataBackend,
  type RandomReader,
  type ResumableWrites,
} from './backend/backend.ts'
import type { Inventory } from './backend/inventory.ts'

/** The operation that failed, as the metrics name it: `abandon` stands for `discard`. */
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

/** `missing`: nothing is stored under the key; `full`: no space; `other`: all other errors. */
export type StoreFailure = 'missing' | 'full' | 'other'

export type ObserveStoreFailure = (operation: StoreOperation, failure: StoreFailure) => void

type Report = <Result>(operation: StoreOperation, work: Promise<Result>) => Promise<Result>

/**
 * The same store, which reports its failures. A failed source, a failed commit and an aborted signal do not count, because
 * the caller causes them.
 */
export function instrumentedBackend(data: DataBackend, observe: ObserveStoreFailure): DataBackend {
  const { open, ping, freeSpace, resumable, removeMany, inventory } = data
  const reportFailures: Report = async (operation, work) => {
    try {
      return await work
    } catch (error) {
      observe(operation, failureOf(error))
      throw error
    }
  }
  return {
    ...data,
    async add(key, source, signal, sender) {
      const caller = { failed: false }
      try {
        await data.add(key, observedSource(source, caller), signal, sender)
      } catch (error) {
        if (!caller.failed && !signal.aborted) observe('add', failureOf(error))
        throw error
      }
    },
    get: async (key, range) => observedRead(await reportFailures('get', data.get(key, range)), observe),
    remove: (key) => reportFailures('remove', data.remove(key)),
    ...(removeMany && {
      removeMany: async (keys: readonly string[]) => {
        const failures = await reportFailures('remove', removeMany(keys))
        for (const error of failures.values()) observe('remove', failureOf(error))
        return failures
      },
    }),
    ...(open && {
      open: async (key: string) => readerOf(await reportFailures('get', open(key)), reportFailures),
    }),
    ...(ping && { ping: (signal: AbortSignal) => reportFailures('ping', ping(signal)) }),
    ...(freeSpace && { freeSpace: () => reportFailures('freeSpace', freeSpace()) }),
    ...(resumable && { resumable: observedWrites(resumable, observe, reportFailures) }),
    ...(inventory && { inventory: observedInventory(inventory, observe, reportFailures) }),
  }
}

function observedInventory(inventory: Inventory, observe: ObserveStoreFailure, reported: Report): Inventory {
  const { quarantine } = inventory
  return {
    async *list() {
      try {
        yield* inventory.list()
      } catch (error) {
        observe('list', failureOf(error))
        throw error
      }
    },
    inspect: (key) => reported('inspect', inventory.inspect(key)),
    removeUnfinished: (key) => reported('remove', inventory.removeUnfinished(key)),
    ...(quarantine && { quarantine: (key: string) => reported('quarantine', quarantine(key)) }),
  }
}

function observedWrites(
  writes: ResumableWrites,
  observe: ObserveStoreFailure,
  reported: Report,
): ResumableWrites {
  return {
    begin: (key) => reported('begin', writes.begin(key)),
    async append(key, from, source, options) {
      const caller = { failed: false }
      const observedCommit: AppendOptions['commit'] = (stored) =>
        recordFailure(caller, options.commit(stored))
      try {
        return await writes.append(key, from, observedSource(source, caller), {
          ...options,
          commit: observedCommit,
        })
      } catch (error) {
        if (!caller.failed && !options.signal.aborted) observe('append', failureOf(error))
        throw error
      }
    },
    finish: (key, stored) => reported('finish', writes.finish(key, stored)),
    discard: (key, stored) => reported('abandon', writes.discard(key, stored)),
  }
}

function failureOf(error: unknown): StoreFailure {
  if (error instanceof MissingDataError) return 'missing'
  return error instanceof NoSpaceError ? 'full' : 'other'
}

/** Whether the caller's side failed. */
interface CallerState {
  failed: boolean
}

async function recordFailure<Result>(caller: CallerState, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    caller.failed = true
    throw error
  }
}

/** The same chunks; records whether the source failed. */
async function* observedSource(
  source: AsyncIterable<Uint8Array>,
  caller: CallerState,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await recordFailure(caller, chunks.next())
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await chunks.return?.()
  }
}

async function* observedRead(
  source: AsyncIterable<Uint8Array>,
  observe: ObserveStoreFailure,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    observe('get', failureOf(error))
    throw error
  }
}

function readerOf(reader: RandomReader, reported: Report): RandomReader {
  return { ...reader, read: (into, position) => reported('get', reader.read(into, position)) }
}
