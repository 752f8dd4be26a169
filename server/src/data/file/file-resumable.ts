import { constants, fstatSync } from 'node:fs'
import type { Clock } from '../../domain/clock.ts'
import type { AppendOptions, ResumableWrites, StoredPart } from '../backend/backend.ts'
import { commits } from './commits.ts'
import { directWrites, noDirectWrites } from './direct-writes.ts'
import { closeFile, hasCode, openFile, rename, syncAll, syncBytes, truncate } from './file-calls.ts'
import { missing, refuse, refuseMissing } from './file-errors.ts'
import { checkKey } from '../backend/key.ts'
import { sequentialWriter } from './sequential-writer.ts'
import type { Shards } from './shards.ts'
import { untilAborted } from '../streams/until-aborted.ts'

export interface ResumableFilesOptions {
  readonly fsync: boolean
  readonly clock: Clock
  /** Bytes after which it is told how far a file is stored; `usualCommitBytes` when absent. */
  readonly commitBytes?: number
}

/** What a slow sender has sent is told of as soon as something comes later than this: a crash costs no minutes. */
const commitMs = 2_000

/**
 * A fast sender loses a fraction of a second to a crash, as it sends this much again. Each telling waits for the disk,
 * beside further writes: at this size, a file of 1 GiB was written as fast as without any.
 */
const usualCommitBytes = 32 * 1024 * 1024

const { O_WRONLY, O_RDONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
// Without O_NONBLOCK, opening a named pipe would wait for the other side.
const forWriting = O_WRONLY | O_NOFOLLOW | O_NONBLOCK
const forReading = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/**
 * Unfinished files, named as those that are written at once: `AB/ABcdef….part`, with their bytes from the first on.
 * The stored part needs no session: the file is cut to its offset, and gone on with there. Nothing is written before
 * the first byte.
 */
export function resumableFiles(
  places: Shards,
  { fsync, clock, commitBytes = usualCommitBytes }: ResumableFilesOptions,
): Omit<ResumableWrites, 'abandon'> {
  /** The unfinished file of a key, cut to so many bytes. @throws MissingDataError when it has less */
  const openPart = async (key: string, offset: number): Promise<number> => {
    if (offset > 0 && !(await places.has(key))) throw missing(key)
    // What is begun has no file yet.
    const file = await (
      offset === 0
        ? places.create(key, (part) => openFile(part, forWriting | O_CREAT, 0o600))
        : openFile(places.part(key), forWriting)
    ).catch((error: unknown) => refuseMissing(error, key, places))
    try {
      if (sizeOf(file) < offset) throw missing(key)
      if (sizeOf(file) > offset) await truncate(file, offset)
      return file
    } catch (error) {
      await closeFile(file)
      throw error
    }
  }

  const receive = async (
    file: number,
    { key, from, source }: Appended,
    { signal, commit }: AppendOptions,
  ): Promise<StoredPart> => {
    const direct = fsync ? directWrites(places.part(key)) : noDirectWrites
    const writes = sequentialWriter(file, direct, from.offset)
    let last = { offset: from.offset, at: clock.now() }
    // The first time, the name is brought to the disk as well.
    let isNamed = from.offset > 0
    const told = commits(async (offset: number) => {
      if (fsync) await (isNamed ? syncBytes(file) : Promise.all([syncAll(file), places.sync(key)]))
      isNamed = true
      signal.throwIfAborted()
      await commit({ offset, session: '' })
    })
    const stop = AbortSignal.any([signal, told.failed])
    const tell = () => {
      const offset = writes.position()
      if (offset > last.offset) told.tell(offset)
      last = { offset, at: clock.now() }
    }
    const isLate = () => clock.now() - last.at > commitMs

    try {
      for await (const chunk of untilAborted(source, stop)) {
        await writes.write(chunk)
        if (isLate()) await writes.flush()
        if (isLate() || writes.position() - last.offset >= commitBytes) tell()
      }
      await writes.flush()
      stop.throwIfAborted()
      tell()
      await told.settled()
      signal.throwIfAborted()
    } catch (error) {
      // What came of a source that fails, or before the disk was full, need not come again.
      if (!stop.aborted) await writes.flush().then(tell, tell)
      await told.settled().catch(ignore)
      throw error
    } finally {
      await direct.close()
    }
    return { offset: writes.position(), session: '' }
  }

  /** Whether a file was finished before. Then it is brought to the disk once more, as a crash may have come between. */
  const isFinished = async (key: string, offset: number): Promise<boolean> => {
    if (!(await places.has(key))) return false
    const file = await openFile(places.path(key), forReading).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT', 'ELOOP', 'ENXIO')) throw error
    })
    if (file === undefined) return false
    try {
      if (sizeOf(file) !== offset) return false
      if (fsync) await Promise.all([syncAll(file), places.sync(key)])
      return true
    } finally {
      await closeFile(file)
    }
  }

  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- refusals are rejections, as in every backend
    async begin(key) {
      checkKey(key)
      return { offset: 0, session: '' }
    },
    async append(key, from, source, options) {
      checkKey(key)
      options.signal.throwIfAborted()
      const file = await openPart(key, from.offset).catch(refuse)
      try {
        return await receive(file, { key, from, source }, options).catch(refuse)
      } finally {
        await closeFile(file)
      }
    },
    async finish(key, { offset }) {
      checkKey(key)
      if (await isFinished(key, offset)) return
      const file = await openPart(key, offset)
      try {
        await rename(places.part(key), places.path(key))
        // After the renaming, as for files that are written at once.
        if (fsync) await Promise.all([syncAll(file), places.sync(key)])
      } finally {
        await closeFile(file)
      }
    },
  }
}

interface Appended {
  readonly key: string
  readonly from: StoredPart
  readonly source: AsyncIterable<Uint8Array>
}

/** -1 for what is no file. */
function sizeOf(file: number): number {
  const found = fstatSync(file)
  return found.isFile() ? found.size : -1
}

function ignore(): void {
  // The first error counts.
}
