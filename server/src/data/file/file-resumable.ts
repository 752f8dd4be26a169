import { constants, fstatSync } from 'node:fs'
import type { Clock } from '../../domain/clock.ts'
import {
  missingData,
  type AppendOptions,
  type ResumableWrites,
  type ResumePoint,
} from '../backend/backend.ts'
import { commitQueue } from '../backend/commit-queue.ts'
import { directWrites, noDirectWrites } from './disk/direct-writes.ts'
import { closeFile, hasCode, openFile, rename, syncAll, syncBytes, truncate } from './disk/file-calls.ts'
import { throwStoreError, throwOpenError } from './disk/file-errors.ts'
import { beginEmpty } from '../backend/begin-empty.ts'
import { checkKey } from '../backend/key.ts'
import { sequentialWriter } from './disk/sequential-writer.ts'
import type { Shards } from './disk/shards.ts'
import { untilAborted } from '../streams/until-aborted.ts'
import { ignore } from '../../domain/ignore.ts'

export interface ResumableFilesOptions {
  readonly fsync: boolean
  readonly clock: Clock
  /** Bytes after which progress is committed; `defaultCommitBytes` when absent. */
  readonly commitBytes?: number
}

/** For slow senders, progress is committed after this time, so that a crash does not cost minutes of an upload. */
const commitMs = 2_000

/**
 * After a crash, a fast sender sends at most this much again, which takes a fraction of a second. Each commit syncs the
 * disk while writing continues: with this size, a file of 1 GiB was written as fast as without commits.
 */
const defaultCommitBytes = 32 * 1024 * 1024

const { O_WRONLY, O_RDONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
// Without O_NONBLOCK, to open a named pipe would wait for the other side.
const forWriting = O_WRONLY | O_NOFOLLOW | O_NONBLOCK
const forReading = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/**
 * Unfinished files have the same names as those of `add`: `AB/ABcdef….part`. The resume point needs no session: the file
 * is truncated to its offset, and continued from there. Nothing is created before the first byte.
 */
export function resumableFiles(
  shardPaths: Shards,
  { fsync, clock, commitBytes = defaultCommitBytes }: ResumableFilesOptions,
): Omit<ResumableWrites, 'discard'> {
  /**
   * Opens the unfinished file of a key, truncated to `offset`.
   * @throws MissingDataError when it is shorter
   */
  const openPart = async (key: string, offset: number): Promise<number> => {
    if (offset > 0 && !(await shardPaths.has(key))) throw missingData(key)
    // At offset 0 there is no file yet.
    const file = await (
      offset === 0
        ? shardPaths.create(key, (part) => openFile(part, forWriting | O_CREAT, 0o600))
        : openFile(shardPaths.part(key), forWriting)
    ).catch((error: unknown) => throwOpenError(error, key, shardPaths))
    try {
      if (sizeOf(file) < offset) throw missingData(key)
      if (sizeOf(file) > offset) await truncate(file, offset)
      return file
    } catch (error) {
      await closeFile(file)
      throw error
    }
  }

  const receive = async (
    file: number,
    { key, from, source }: AppendRequest,
    { signal, commit }: AppendOptions,
  ): Promise<ResumePoint> => {
    const direct = fsync ? directWrites(shardPaths.part(key)) : noDirectWrites
    const writes = sequentialWriter(file, direct, from.offset)
    let last = { offset: from.offset, at: clock.now() }
    // The first commit syncs the name as well.
    let isNamed = from.offset > 0
    const commits = commitQueue(async (offset: number) => {
      if (fsync) await (isNamed ? syncBytes(file) : Promise.all([syncAll(file), shardPaths.sync(key)]))
      isNamed = true
      signal.throwIfAborted()
      await commit({ offset, session: '' })
    })
    const stop = AbortSignal.any([signal, commits.failed])
    const pushProgress = () => {
      const offset = writes.position()
      if (offset > last.offset) commits.push(offset)
      last = { offset, at: clock.now() }
    }
    const isLate = () => clock.now() - last.at > commitMs

    try {
      for await (const chunk of untilAborted(source, stop)) {
        const isPause = chunk.length === 0
        if (!isPause) await writes.write(chunk)
        if (isPause || isLate()) await writes.flush()
        if (isPause || isLate() || writes.position() - last.offset >= commitBytes) pushProgress()
      }
      await writes.flush()
      stop.throwIfAborted()
      pushProgress()
      await commits.drain()
      signal.throwIfAborted()
    } catch (error) {
      // Bytes that arrived before the source failed, or the disk was full, need not be sent again.
      if (!stop.aborted) await writes.flush().then(pushProgress, pushProgress)
      // The first error counts.
      await commits.drain().catch(ignore)
      throw error
    } finally {
      await direct.close()
    }
    return { offset: writes.position(), session: '' }
  }

  /** Whether a file was finished before. It is then synced again, because a crash may have prevented that. */
  const isFinished = async (key: string, offset: number): Promise<boolean> => {
    if (!(await shardPaths.has(key))) return false
    const file = await openFile(shardPaths.path(key), forReading).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT', 'ELOOP', 'ENXIO')) throw error
    })
    if (file === undefined) return false
    try {
      if (sizeOf(file) !== offset) return false
      if (fsync) await Promise.all([syncAll(file), shardPaths.sync(key)])
      return true
    } finally {
      await closeFile(file)
    }
  }

  return {
    begin: beginEmpty,
    async append(key, from, source, options) {
      checkKey(key)
      options.signal.throwIfAborted()
      const file = await openPart(key, from.offset).catch(throwStoreError)
      try {
        return await receive(file, { key, from, source }, options).catch(throwStoreError)
      } finally {
        await closeFile(file)
      }
    },
    async finish(key, { offset }) {
      checkKey(key)
      if (await isFinished(key, offset)) return
      const file = await openPart(key, offset)
      try {
        await rename(shardPaths.part(key), shardPaths.path(key))
        // After the rename, as for files of `add`.
        if (fsync) await Promise.all([syncAll(file), shardPaths.sync(key)])
      } finally {
        await closeFile(file)
      }
    },
  }
}

interface AppendRequest {
  readonly key: string
  readonly from: ResumePoint
  readonly source: AsyncIterable<Uint8Array>
}

/** The size of a regular file; -1 for anything else. */
function sizeOf(file: number): number {
  const found = fstatSync(file)
  return found.isFile() ? found.size : -1
}
