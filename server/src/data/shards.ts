import { hasCode, lstat, makeDirectory } from './file-calls.ts'

/** Something else stands where a directory of the store should be, such as a symbolic link. */
export class ForeignShardError extends Error {
  override readonly name = 'ForeignShardError'
}

/** The directories below the store's own: one for each pair of first characters of a key. */
export interface Shards {
  /** Where a key is kept; the directory is made when it does not exist. @throws ForeignShardError */
  make(key: string): Promise<string>
  /** Where a key is kept, or nothing when the directory does not exist. @throws ForeignShardError */
  find(key: string): Promise<string | undefined>
}

export function shards(directory: string): Shards {
  /** Checked once. After that only someone with our own rights could put something else there. */
  const known = new Map<string, string>()
  const locate = (key: string) => {
    const name = key.slice(0, 2)
    return { name, path: known.get(name) ?? `${directory}/${name}` }
  }
  const check = async (name: string, path: string) => {
    const found = await lstat(path)
    if (!found.isDirectory()) throw new ForeignShardError(`${path} is not a directory of the store`)
    known.set(name, path)
    return path
  }
  return {
    async make(key) {
      const { name, path } = locate(key)
      if (known.has(name)) return path
      await makeDirectory(path, 0o700).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error
      })
      return check(name, path)
    },
    async find(key) {
      const { name, path } = locate(key)
      if (known.has(name)) return path
      try {
        return await check(name, path)
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
  }
}
