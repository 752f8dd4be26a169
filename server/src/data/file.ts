import { constants, fstatSync, mkdirSync } from 'node:fs'
import { untilAborted } from './abortable.ts'
import { MissingDataError, NoSpaceError, type DataBackend } from './backend.ts'
import {
  closeFile,
  hasCode,
  openFile,
  readFile,
  rename,
  statFileSystem,
  syncFile,
  unlink,
  writeFile,
} from './file-calls.ts'
import { checkKey } from './key.ts'
import { readRange } from './read-range.ts'
import { shards } from './shards.ts'

export interface FileBackendOptions {
  /** Made when it does not exist, readable by nobody else. */
  readonly directory: string
  /** Whether bytes are on the disk, not only on their way to it, when `add` resolves. */
  readonly fsync: boolean
}

const { O_WRONLY, O_RDONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants
const forWriting = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
// Without O_NONBLOCK the opening of a named pipe would wait for its writer.
const forReading = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/** Bytes after which the disk is set to work while more are still coming. */
const syncStep = 64 * 1024 * 1024

/**
 * Data in a directory: `AB/ABcdef…` once it is whole, `AB/ABcdef….part` before.
 * Links are never followed, and nothing but regular files is read.
 */
export function fileBackend({ directory, fsync }: FileBackendOptions): DataBackend {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const places = shards(directory)

  async function write(file: number, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    let unsynced = 0
    let syncing = Promise.resolve()
    for await (const chunk of untilAborted(source, signal)) {
      await writeFile(file, chunk)
      unsynced += chunk.length
    }
    signal.throwIfAborted()
    await syncing
    if (fsync) await syncFile(file)
  }

  async function openStored(key: string): Promise<number> {
    checkKey(key)
    const shard = await places.find(key)
    if (shard === undefined) throw new MissingDataError(`nothing is stored under ${key}`)
    try {
      return await openFile(`${shard}/${key}`, forReading)
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ELOOP', 'ENXIO')) throw error
      throw new MissingDataError(`nothing is stored under ${key}`, { cause: error })
    }
  }
  throw new Error('draft')
}
