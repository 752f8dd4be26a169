import type { AppendOptions, ResumePoint } from '../../backend/backend.ts'
import { missingData, TooLargeForStoreError } from '../../backend/backend.ts'
import type { Clock } from '../../../domain/clock.ts'
import { randomText, type Random } from '../../../domain/ids.ts'
import type { Part } from '../gather-parts.ts'
import { fewRetries, defaultRetryPolicy, type RetryPolicy } from '../retry-policy.ts'
import { writePartsSequentially, type PartSizes } from '../sequential-part-writer.ts'
import { mergeWindow, type MergeRules } from './merge-window.ts'
import { idAfter, partId, parsePartList, suffixLength, formatPartList } from './part-list.ts'
import { withIdleChunks } from './idle-chunks.ts'
import type { NamedPart, PartStore } from './part-store.ts'

export interface ResumablePartsOptions {
  readonly store: PartStore
  /** Sizes of parts. The argument of `max` is counted from the beginning of the file. */
  readonly sizes: PartSizes
  readonly merging: MergeRules
  readonly clock: Clock
  readonly random: Random
  readonly retryPolicy?: RetryPolicy
}

/** Milliseconds. A crash loses at most this much of a slow upload. */
const maxAge = 10_000

/**
 * Appends a source to a file as parts. Each part is committed once it is stored, while the next one is gathered.
 *
 * The caller may resume from the last commit, or from the resume point of this append, because committed bytes may fail a
 * check. So this append removes none of the parts that it was given. The next resume point names those that were merged,
 * and the append that receives it removes them.
 */
export async function appendParts(
  key: string,
  from: ResumePoint,
  source: AsyncIterable<Uint8Array>,
  { signal, commit, sender }: AppendOptions,
  options: ResumablePartsOptions,
): Promise<ResumePoint> {
  signal.throwIfAborted()
  const { sizes, clock } = options
  await prepare(key, from, options)
  signal.throwIfAborted()
  const file = appendableFile(key, from, options)
  const write = async (part: Part, either: AbortSignal) => {
    if (part.bytes.length === 0) return
    await file.write(part.bytes, either)
    either.throwIfAborted()
    await commit(file.storedList())
    await file.removeSuperseded()
  }
  const { chunks, failure } = withIdleChunks(source, clock, maxAge)
  const { max } = sizes
  const partSizes = {
    ...sizes,
    sender,
    isDue: dueAfter(maxAge, clock),
    ...(max && { max: (start: number) => max(from.offset + start) }),
  }
  try {
    // Written parts stay: the next append continues after them, or removes them.
    await writePartsSequentially(chunks, signal, partSizes, { write, undo: () => Promise.resolve() })
  } catch (error) {
    signal.throwIfAborted()
    throw failure()?.error ?? error
  }
  const failed = failure()
  if (failed !== undefined) throw failed.error
  return file.storedList()
}

/** Whether a part has been gathered for `ms`. */
function dueAfter(ms: number, clock: Clock): (number: number) => boolean {
  let current = 0
  let since = 0
  return (number) => {
    if (number !== current) {
      current = number
      since = clock.now()
    }
    return clock.now() - since >= ms
  }
}

const nameIn = (key: string, id: string) => `${key}/${id}`

/**
 * Removes parts of an append that lost its lock or was interrupted, because no quota counts these bytes, and checks that
 * the file still exists.
 */
async function prepare(
  key: string,
  from: ResumePoint,
  { store, retryPolicy = defaultRetryPolicy }: ResumablePartsOptions,
): Promise<void> {
  const { parts, superseded } = parsePartList(from)
  const last = parts.at(-1)
  const [isLastStored, uncommitted] = await Promise.all([
    last === undefined || store.exists(nameIn(key, last.id)),
    store.list(nameIn(key, ''), idAfter(from.offset), retryPolicy),
  ])
  if (!isLastStored) throw missingData(key)
  const names = [...uncommitted, ...superseded.map((id) => nameIn(key, id))]
  await store.remove(names, fewRetries).catch(ignoreRemovalError)
}

interface AppendableFile {
  readonly storedList: () => ResumePoint
  readonly write: (bytes: Uint8Array, signal: AbortSignal) => Promise<void>
  /** Removes parts that no resume point refers to any more, now that `stored` is committed. */
  readonly removeSuperseded: () => Promise<void>
}

function appendableFile(
  key: string,
  from: ResumePoint,
  { store, merging, random }: ResumablePartsOptions,
): AppendableFile {
  const parts = [...parsePartList(from).parts]
  const keptIds = new Set(parts.map(({ id }) => id))
  let superseded: readonly string[] = []
  let { offset } = from

  const newId = (end: number) => partId(end, randomText(random, suffixLength))
  const namedPart = ({ id, size }: { id: string; size: number }): NamedPart => ({
    name: nameIn(key, id),
    size,
  })
  const mergeIfNeeded = async (end: number, signal: AbortSignal) => {
    const window = mergeWindow(
      parts.map(({ size }) => size),
      merging,
    )
    if (window === undefined) {
      if (parts.length >= merging.maxParts) throw new TooLargeForStoreError(offset)
      return
    }
    const run = parts.slice(window.start, window.start + window.count)
    const size = run.reduce((sum, part) => sum + part.size, 0)
    const merged = { id: newId(end), size }
    await store.merge(nameIn(key, merged.id), run.map(namedPart), signal)
    parts.splice(window.start, window.count, merged)
    superseded = [...superseded, ...run.map(({ id }) => id)]
  }
  return {
    storedList: () => formatPartList({ parts, superseded }),
    async write(bytes, signal) {
      const end = offset + bytes.length
      await mergeIfNeeded(end, signal)
      const id = newId(end)
      await store.write(nameIn(key, id), bytes, signal)
      parts.push({ id, size: bytes.length })
      offset = end
    },
    async removeSuperseded() {
      const removed = superseded.filter((id) => !keptIds.has(id))
      superseded = superseded.filter((id) => keptIds.has(id))
      const names = removed.map((id) => nameIn(key, id))
      await store.remove(names, fewRetries).catch(ignoreRemovalError)
    },
  }
}

function ignoreRemovalError(): void {
  // If this removal fails, finishing or discarding the file removes the parts.
}
