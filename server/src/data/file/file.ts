import { constants, fstatSync, mkdirSync } from 'node:fs'
import type { Clock } from '../../domain/clock.ts'
import type { DataBackend, RandomReader } from '../backend/backend.ts'
import { directWrites, noDirectWrites } from './direct-writes.ts'
import { earlySync, noSync } from './early-sync.ts'
import {
  access,
  closeFile,
  forNewFile,
  openFile,
  readFile,
  rename,
  statFileSystem,
  unlinkIfThere,
  writeFile,
} from './file-calls.ts'
import { missing, refuse, refuseMissing } from './file-errors.ts'
import { fileInventory } from './file-inventory.ts'
import { resumableFiles, type ResumableFilesOptions } from './file-resumable.ts'
import { checkKey } from '../backend/key.ts'
import { readRange } from '../backend/read-range.ts'
import { removeFiles } from './remove-files.ts'
import { shards, type Shards } from './shards.ts'
import { mostOfSmall, storeSmallFile } from './small-files.ts'
import { smallOrLarge } from './small-or-large.ts'
import { untilAborted } from '../streams/until-aborted.ts'

export interface FileBackendOptions {
  /** Made when it does not exist, open to nobody else. */
  readonly directory: string
  /** Whether the bytes are on the disk, not only on their way to it, when `add` resolves. */
  readonly fsync: boolean
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, R_OK, W_OK, X_OK } = constants
// Without O_NONBLOCK, opening a named pipe would wait for a writer.
const forReading = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/**
 * Data in a directory: `AB/ABcdef…` when it is whole, `AB/ABcdef….part` before.
 * Links are never followed, and nothing but regular files is read.
 */
export function fileBackend(
  { directory, fsync }: FileBackendOptions,
  clock: Clock,
  tuning: Pick<ResumableFilesOptions, 'commitBytes'> = {},
): DataBackend {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const places = shards(directory, fsync)

  const open = async (key: string): Promise<RandomReader> => {
    checkKey(key)
    if (!(await places.has(key))) throw missing(key)
    return randomReader(await openStored(key, places))
  }

  const remove = async (key: string): Promise<void> => {
    checkKey(key)
    if (!(await places.has(key))) return
    // In this order: a write that ends between the two would leave its file the other way round.
    const hadPart = await unlinkIfThere(places.part(key))
    const hadFile = await unlinkIfThere(places.path(key))
    if (!hadPart && !hadFile) await places.requireDirectory()
    // Else a power cut could bring back bytes that no row names any more.
    else await places.sync(key)
  }

  const write = async (key: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal) => {
    const path = places.path(key)
    let place = places.part(key)
    // Whoever made the file removes it: what another writer of this key made stays untouched.
    const file = await places.create(key, (part) => openFile(part, forNewFile, 0o600)).catch(refuse)
    const disk = fsync ? earlySync(file) : noSync
    const direct = fsync ? directWrites(place) : noDirectWrites
    let size = 0
    try {
      try {
        for await (const chunk of chunks) {
          const rest = chunk.subarray(await direct.write(chunk, size))
          await writeFile(file, rest, size + chunk.length - rest.length)
          disk.written(rest.length)
          size += chunk.length
        }
        signal.throwIfAborted()
        await rename(place, path)
        place = path
        // After the renaming and together: one journal entry of the file system then has bytes and name. Nobody asks for
        // the key before this has succeeded.
        await Promise.all([disk.finish(), places.sync(key)])
      } finally {
        await disk.settled()
        await Promise.all([direct.close(), closeFile(file)])
      }
      signal.throwIfAborted()
    } catch (error) {
      // What cannot be removed now goes with its key later: the first error counts.
      await unlinkIfThere(place).catch(() => undefined)
      refuse(error)
    }
  }

  const writeSmall = async (key: string, bytes: Uint8Array, signal: AbortSignal) => {
    const path = places.path(key)
    await places.create(key, (part) => storeSmallFile({ part, path, bytes, fsync })).catch(refuse)
    if (!signal.aborted) return
    await unlinkIfThere(path).catch(() => undefined)
    signal.throwIfAborted()
  }

  return {
    async add(key, source, signal) {
      checkKey(key)
      signal.throwIfAborted()
      const begun = await smallOrLarge(untilAborted(source, signal), mostOfSmall)
      await ('small' in begun ? writeSmall(key, begun.small, signal) : write(key, begun.chunks, signal))
    },
    async get(key, range) {
      return readRange(await open(key), range)
    },
    remove,
    removeMany: (keys) => removeFiles(keys, places),
    open,
    // With a dot behind it: anything but a directory is refused, too.
    ping: () => access(`${directory}/.`, R_OK | W_OK | X_OK),
    async freeSpace() {
      await places.requireDirectory()
      const { bavail, bsize } = await statFileSystem(directory)
      return bavail * bsize
    },
    inventory: fileInventory(places, { directory, fsync }),
    resumable: { ...resumableFiles(places, { fsync, clock, ...tuning }), abandon: remove },
  }
}

async function openStored(key: string, places: Shards): Promise<number> {
  const file = await openFile(places.path(key), forReading).catch((error: unknown) =>
    refuseMissing(error, key, places),
  )
  // Of an open file this needs no disk, so it is cheaper here than on another thread.
  if (fstatSync(file).isFile()) return file
  await closeFile(file)
  throw missing(key)
}

function randomReader(file: number): RandomReader {
  return {
    read: (into, position) => readFile(file, into, position),
    close: () => closeFile(file),
  }
}
