import pLimit from 'p-limit'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { Inventory, StoredKey } from '../backend/inventory.ts'
import {
  hasCode,
  listDirectory,
  lstat,
  makeDirectory,
  rename,
  syncDirectory,
  unlinkIfThere,
} from './disk/file-calls.ts'
import { localDamage, throwStoreError } from './disk/file-errors.ts'
import { checkKey } from '../backend/key.ts'
import { ForeignShardError, type Shards } from './disk/shards.ts'

export interface FileInventoryOptions {
  readonly directory: string
  readonly fsync: boolean
}

/** Longer than the name of any shard. */
const quarantineName = 'quarantine'
const shardName = /^[0-9A-Za-z]{1,2}$/
const fileName = /^([0-9A-Za-z]{1,64})(\.part)?$/

/** Concurrent file system calls; they share the thread pool with other work. */
const concurrency = 16

interface FoundFile {
  readonly size: number
  readonly modifiedAt: number
}

/** The regular files below a directory, one shard at a time. Links do not count. */
export function fileInventory(shardPaths: Shards, { directory, fsync }: FileInventoryOptions): Inventory {
  const limit = pLimit(concurrency)

  const inspect = async (key: string): Promise<StoredKey | null> => {
    if (!(await shardPaths.has(key))) return null
    const [whole, part] = await Promise.all([find(shardPaths.path(key)), find(shardPaths.part(key))])
    if (whole === undefined && part === undefined) return null
    return {
      key,
      size: whole?.size ?? null,
      unfinished: part !== undefined,
      modifiedAt: Math.max(whole?.modifiedAt ?? 0, part?.modifiedAt ?? 0),
    }
  }
  const inspectOrReport = async (key: string): Promise<StoredKey | null> => {
    try {
      const found = await inspect(key)
      // A name that is not found proves nothing where the directory cannot be read.
      if (found === null) await listDirectory(shardPaths.shard(key))
      return found
    } catch (error) {
      await requireLocalDamage(error)
      return { key, size: null, unfinished: false, modifiedAt: 0, isUnreadable: true }
    }
  }
  /** Rejects unless only a file or its directory is affected. */
  const requireLocalDamage = async (error: unknown) => {
    const cause = error instanceof StoreUnavailableError ? error.cause : error
    if (!(error instanceof ForeignShardError) && !hasCode(cause, ...localDamage)) throwStoreError(error)
    await shardPaths.requireDirectory()
    await listDirectory(directory).catch(throwStoreError)
  }
  const keysOf = async (shard: string): Promise<readonly StoredKey[]> => {
    const names = (await listDirectory(`${directory}/${shard}`)).map(({ name }) => fileName.exec(name)?.[1])
    const keys = new Set(names.filter((key) => key?.slice(0, 2) === shard))
    const found = await Promise.all([...keys].map((key = '') => limit(() => inspectOrReport(key))))
    return found.filter((stored) => stored !== null).sort(byKey)
  }
  async function* list(): AsyncGenerator<StoredKey, void> {
    const entries = await listDirectory(directory).catch(throwStoreError)
    // A missing data directory must not look like an empty one.
    await shardPaths.requireDirectory()
    const shards = entries.filter((entry) => entry.isDirectory() && shardName.test(entry.name))
    for (const shard of shards.map(({ name }) => name).sort()) {
      const keys = await keysOf(shard).catch(async (error: unknown) => {
        await requireLocalDamage(error)
        return []
      })
      yield* keys
    }
  }
  const moveAside = async (key: string) => {
    const target = `${directory}/${quarantineName}`
    await makeDirectory(target, 0o700).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
    await renameIfThere(shardPaths.part(key), `${target}/${key}.part`)
    await renameIfThere(shardPaths.path(key), `${target}/${key}`)
    if (!fsync) return
    await Promise.all([syncDirectory(target), syncDirectory(directory), shardPaths.sync(key)])
  }

  return {
    list,
    async inspect(key) {
      checkKey(key)
      return inspectOrReport(key)
    },
    async removeUnfinished(key) {
      checkKey(key)
      if (!(await shardPaths.has(key))) return
      if (await unlinkIfThere(shardPaths.part(key))) await shardPaths.sync(key)
    },
    async quarantine(key) {
      checkKey(key)
      if (await shardPaths.has(key)) await moveAside(key).catch(throwStoreError)
    },
  }
}

const byKey = (a: StoredKey, b: StoredKey) => (a.key < b.key ? -1 : 1)

async function find(path: string): Promise<FoundFile | undefined> {
  try {
    const found = await lstat(path)
    return found.isFile() ? { size: found.size, modifiedAt: Math.floor(found.mtimeMs) } : undefined
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    return undefined
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}
