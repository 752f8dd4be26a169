import { constants, existsSync, fstatSync } from 'node:fs'
import type { Clock } from '../../domain/clock.ts'
import { missingData, type DataBackend, type RandomReader } from '../backend/backend.ts'
import { directWrites, noDirectWrites } from './disk/direct-writes.ts'
import { backgroundSync, noSync } from './disk/background-sync.ts'
import {
  access,
  closeFile,
  forNewFile,
  makeDirectory,
  openFile,
  readFile,
  rename,
  statFileSystem,
  unlinkIfThere,
  writeFile,
} from './disk/file-calls.ts'
import { throwStoreError, throwOpenError } from './disk/file-errors.ts'
import { fileInventory } from './file-inventory.ts'
import { resumableFiles, type ResumableFilesOptions } from './file-resumable.ts'
import { checkKey } from '../backend/key.ts'
import { readRange } from '../backend/read-range.ts'
import { removeFiles } from './unlink/remove-files.ts'
import { shards, type Shards } from './disk/shards.ts'
import { maxSmallFileSize, storeSmallFile } from './small-files/small-files.ts'
import { smallOrLarge } from './small-files/small-or-large.ts'
import { untilAborted } from '../streams/until-aborted.ts'

export interface FileBackendOptions {
  readonly directory: string
  /** Whether the bytes are on the disk, not only in the page cache, when `add` resolves. */
  readonly fsync: boolean
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, R_OK, W_OK, X_OK } = constants
// Without O_NONBLOCK, to open a named pipe would wait for a writer.
const forReading = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/**
 * Stores data in a directory: `AB/ABcdef…` is a complete file, `AB/ABcdef….part` an unfinished one. Links are never
 * followed, and only regular files are read.
 */
export function fileBackend(
  { directory, fsync }: FileBackendOptions,
  clock: Clock,
  tuning: Pick<ResumableFilesOptions, 'commitBytes'> = {},
): DataBackend {
  const shardPaths = shards(directory, fsync)

  const open = async (key: string): Promise<RandomReader> => {
    checkKey(key)
    if (!(await shardPaths.has(key))) throw missingData(key)
    return randomReader(await openStored(key, shardPaths))
  }

  const remove = async (key: string): Promise<void> => {
    checkKey(key)
    if (!(await shardPaths.has(key))) return
    // In this order, because a concurrent write may rename its partial file between the two calls.
    const hadPart = await unlinkIfThere(shardPaths.part(key))
    const hadFile = await unlinkIfThere(shardPaths.path(key))
    if (!hadPart && !hadFile) await shardPaths.requireDirectory()
    // Without a sync, a power cut could restore bytes that have no row any more.
    else await shardPaths.sync(key)
  }

  const write = async (key: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal) => {
    const path = shardPaths.path(key)
    let current = shardPaths.part(key)
    // Only the writer that created the file removes it: a file of another writer stays.
    const file = await shardPaths
      .create(key, (part) => openFile(part, forNewFile, 0o600))
      .catch(throwStoreError)
    const disk = fsync ? backgroundSync(file) : noSync
    const direct = fsync ? directWrites(current) : noDirectWrites
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
        await rename(current, path)
        current = path
        // After the rename, and concurrently, so that one journal entry of the file system covers bytes and name. The key
        // is not read before this has succeeded.
        await Promise.all([disk.finish(), shardPaths.sync(key)])
      } finally {
        await disk.waitForSync()
        await Promise.all([direct.close(), closeFile(file)])
      }
      signal.throwIfAborted()
    } catch (error) {
      // If this removal fails, cleanup removes the key later: the first error counts.
      await unlinkIfThere(current).catch(() => undefined)
      throwStoreError(error)
    }
  }

  const writeSmall = async (key: string, bytes: Uint8Array, signal: AbortSignal) => {
    const path = shardPaths.path(key)
    await shardPaths
      .create(key, (part) => storeSmallFile({ part, path, bytes, fsync }))
      .catch(throwStoreError)
    if (!signal.aborted) return
    await unlinkIfThere(path).catch(() => undefined)
    signal.throwIfAborted()
  }

  return {
    async add(key, source, signal) {
      checkKey(key)
      signal.throwIfAborted()
      const body = await smallOrLarge(untilAborted(source, signal), maxSmallFileSize)
      await ('small' in body ? writeSmall(key, body.small, signal) : write(key, body.chunks, signal))
    },
    async get(key, range) {
      return readRange(await open(key), range)
    },
    remove,
    removeMany: (keys) => removeFiles(keys, shardPaths),
    open,
    async ping() {
      await shardPaths.requireDirectory()
      await access(directory, R_OK | W_OK | X_OK)
    },
    createMissing: () => createDirectory(directory),
    async freeSpace() {
      await shardPaths.requireDirectory()
      const { bavail, bsize } = await statFileSystem(directory)
      return bavail * bsize
    },
    inventory: fileInventory(shardPaths, { directory, fsync }),
    resumable: { ...resumableFiles(shardPaths, { fsync, clock, ...tuning }), discard: remove },
  }
}

/**
 * Only its owner has access to it.
 * @throws when it cannot be created, or another kind of file has its name
 */
async function createDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new Error(`the data directory cannot be ${existsSync(directory) ? 'used' : 'created'}`, { cause })
  }
}

async function openStored(key: string, shardPaths: Shards): Promise<number> {
  const file = await openFile(shardPaths.path(key), forReading).catch((error: unknown) =>
    throwOpenError(error, key, shardPaths),
  )
  // For an open file this call does not touch the disk, so it is cheaper here than on another thread.
  if (fstatSync(file).isFile()) return file
  await closeFile(file)
  throw missingData(key)
}

function randomReader(file: number): RandomReader {
  return {
    read: (into, position) => readFile(file, into, position),
    close: () => closeFile(file),
  }
}
