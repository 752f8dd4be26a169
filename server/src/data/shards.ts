import { hasCode, lstat, makeDirectory } from './file-calls.ts'

/** Something else stands where a directory of the store should be, such as a symbolic link. */
export class ForeignShardError extends Error {
  override readonly name = 'ForeignShardError'
}

/** The directories below the store's own: one for the first two characters of a key. */
export interface Shards {
  readonly path: (key: string) => string
  /** Makes the directory of a key when it does not exist. @throws ForeignShardError */
  readonly make: (key: string) => Promise<void>
  /** Whether the directory of a key exists. @throws ForeignShardError */
  readonly has: (key: string) => Promise<boolean>
  /** The directory of a key was found missing after all. */
  readonly forget: (key: string) => void
}

export function shards(directory: string): Shards {
  /** Checked once: after that, only someone with our own rights could put something else there. */
  const checked = new Set<string>()
  const shardOf = (key: string) => `${directory}/${key.slice(0, 2)}`
  const check = async (shard: string) => {
    if (checked.has(shard)) return
    const found = await lstat(shard)
    if (!found.isDirectory()) throw new ForeignShardError(`${shard} is not a directory of the store`)
    checked.add(shard)
  }
  return {
    path: (key) => `${shardOf(key)}/${key}`,
    async make(key) {
      const shard = shardOf(key)
      if (checked.has(shard)) return
      await makeDirectory(shard, 0o700).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error
      })
      await check(shard)
    },
    async has(key) {
      try {
        await check(shardOf(key))
        return true
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return false
        throw error
      }
    },
    forget(key) {
      checked.delete(shardOf(key))
    },
  }
}
