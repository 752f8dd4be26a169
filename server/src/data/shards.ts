import { hasCode, lstat, makeDirectory } from './file-calls.ts'

/** Something else stands where a directory of the store should be, such as a symbolic link. */
export class ForeignShardError extends Error {
  override readonly name = 'ForeignShardError'
}

/** The directories below the store's own: one for the first two characters of a key. */
export interface Shards {
  /** The path of a key; its directory is made when it does not exist. @throws ForeignShardError */
  make(key: string): Promise<string>
  /** The path of a key, or nothing when its directory does not exist. @throws ForeignShardError */
  find(key: string): Promise<string | undefined>
}

export function shards(directory: string): Shards {
  /** Checked once: after that, only someone with our own rights could put something else there. */
  const checked = new Set<string>()
  const check = async (shard: string) => {
    const found = await lstat(shard)
    if (!found.isDirectory()) throw new ForeignShardError(`${shard} is not a directory of the store`)
    checked.add(shard)
  }
  const shardOf = (key: string) => `${directory}/${key.slice(0, 2)}`
  return {
    async make(key) {
      const shard = shardOf(key)
      if (!checked.has(shard)) {
        await makeDirectory(shard, 0o700).catch((error: unknown) => {
          if (!hasCode(error, 'EEXIST')) throw error
        })
        await check(shard)
      }
      return `${shard}/${key}`
    },
    async find(key) {
      const shard = shardOf(key)
      try {
        if (!checked.has(shard)) await check(shard)
        return `${shard}/${key}`
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
  }
}
