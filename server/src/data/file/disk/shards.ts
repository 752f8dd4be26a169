import { MissingContainerError, StoreUnavailableError } from '../../backend/backend.ts'
import { access, hasCode, lstat, makeDirectory, syncDirectory } from './file-calls.ts'
import { throwStoreError } from './file-errors.ts'

/** Something else stands where a directory of the store should be, such as a symbolic link. */
export class ForeignShardError extends Error {
  override readonly name = 'ForeignShardError'
}

/** The directories below the store's own: one for the first two characters of a key. */
export interface Shards {
  /** The directory of a key. */
  readonly shard: (key: string) => string
  /** Of the finished file of a key. */
  readonly path: (key: string) => string
  /** Of its unfinished one. */
  readonly part: (key: string) => string
  /**
   * Makes the unfinished file of a key, in a directory that is made when it does not exist.
   * @param make may be called twice
   * @throws ForeignShardError, StoreUnavailableError, the error of `make`
   */
  readonly create: <Made>(key: string, make: (part: string) => Promise<Made>) => Promise<Made>
  /** Brings the names of a key's files to the disk, where that is wanted. */
  readonly sync: (key: string) => Promise<void>
  /**
   * Whether the directory of a key exists.
   * @throws ForeignShardError, StoreUnavailableError
   */
  readonly has: (key: string) => Promise<boolean>
  /**
   * Called when a file is not found. Without the directory of the store (its disk may not be mounted) it is unknown
   * whether the file is gone.
   * @throws MissingContainerError, StoreUnavailableError
   */
  readonly requireDirectory: () => Promise<void>
}

/** @param fsync whether names are brought to the disk */
export function shards(directory: string, fsync: boolean): Shards {
  /** Checked once: after that, only someone with our own rights could put something else there. */
  const checked = new Set<string>()
  const shardOf = (key: string) => `${directory}/${key.slice(0, 2)}`
  const requireDirectory = async () => {
    try {
      // With `/.`, the call fails for anything but a directory.
      await access(`${directory}/.`)
    } catch (cause) {
      if (hasCode(cause, 'ENOENT')) throw new MissingContainerError('directory', directory, 'Directory')
      throw new StoreUnavailableError('the data directory cannot be used', { cause })
    }
  }
  const check = async (shard: string) => {
    if (checked.has(shard)) return
    const found = await lstat(shard)
    if (!found.isDirectory()) throw new ForeignShardError(`${shard} is not a directory of the store`)
    checked.add(shard)
  }
  const make = async (shard: string) => {
    if (checked.has(shard)) return
    try {
      await makeDirectory(shard, 0o700)
      if (fsync) await syncDirectory(directory)
      checked.add(shard)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) await requireDirectory()
      if (!hasCode(error, 'EEXIST')) throw error
      await check(shard)
    }
  }
  const path = (key: string) => `${shardOf(key)}/${key}`
  const part = (key: string) => `${path(key)}.part`
  return {
    shard: shardOf,
    path,
    part,
    async create(key, makeFile) {
      const shard = shardOf(key)
      await make(shard)
      try {
        return await makeFile(part(key))
      } catch (error) {
        // Someone tidied the empty directory away.
        if (!hasCode(error, 'ENOENT')) throw error
        checked.delete(shard)
        await make(shard)
        return makeFile(part(key))
      }
    },
    async has(key) {
      try {
        await check(shardOf(key))
        return true
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throwStoreError(error)
        await requireDirectory()
        return false
      }
    },
    requireDirectory,
    async sync(key) {
      if (fsync) await syncDirectory(shardOf(key))
    },
  }
}
