import pLimit from 'p-limit'
import type { Inventory, StoredKey } from '../backend/inventory.ts'
import {
  hasCode,
  listDirectory,
  lstat,
  makeDirectory,
  rename,
  syncDirectory,
  unlinkIfThere,
} from './file-calls.ts'
import { refuse } from './file-errors.ts'
import { checkKey } from '../backend/key.ts'
import type { Shards } from './shards.ts'

export interface FileInventoryOptions {
  readonly directory: string
  readonly fsync: boolean
}

/** Longer than the name of any shard. */
const quarantineName = 'quarantine'
const shardName = /^[0-9A-Za-z]{1,2}$/
const fileName = /^([0-9A-Za-z]{1,64})(\.part)?$/

/** Requests to the file system that wait at the same time: other work shares its threads. */
const concurrency = 16

interface FoundFile {
  readonly size: number
  readonly modifiedAt: number
}

/** The files below a directory, one shard at a time. Links and whatever else is no regular file do not count. */
export function fileInventory(places: Shards, { directory, fsync }: FileInventoryOptions): Inventory {
  const limit = pLimit(concurrency)

  const inspect = async (key: string): Promise<StoredKey | null> => {
    const [whole, part] = await Promise.all([find(places.path(key)), find(places.part(key))])
    if (whole === undefined && part === undefined) return null
    return {
      key,
      size: whole?.size ?? null,
      unfinished: part !== undefined,
      modifiedAt: Math.max(whole?.modifiedAt ?? 0, part?.modifiedAt ?? 0),
    }
  }
  const keysOf = async (shard: string): Promise<readonly StoredKey[]> => {
    const names = (await listDirectory(`${directory}/${shard}`)).map(({ name }) => fileName.exec(name)?.[1])
    const keys = new Set(names.filter((key) => key?.slice(0, 2) === shard))
    const found = await Promise.all([...keys].map((key = '') => limit(() => inspect(key))))
    return found.filter((stored) => stored !== null).sort(byKey)
  }
  async function* list(): AsyncGenerator<StoredKey, void> {
    const entries = await listDirectory(directory).catch(refuse)
    // An empty listing must not come of a directory that is away.
    await places.requireDirectory()
    const shards = entries.filter((entry) => entry.isDirectory() && shardName.test(entry.name))
    for (const shard of shards.map(({ name }) => name).sort()) yield* await keysOf(shard).catch(refuse)
  }
  const moveAside = async (key: string) => {
    const target = `${directory}/${quarantineName}`
    await makeDirectory(target, 0o700).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
    await renameIfThere(places.part(key), `${target}/${key}.part`)
    await renameIfThere(places.path(key), `${target}/${key}`)
    if (!fsync) return
    await Promise.all([syncDirectory(target), syncDirectory(directory), places.sync(key)])
  }

  return {
    list,
    async inspect(key) {
      checkKey(key)
      return (await places.has(key)) ? inspect(key).catch(refuse) : null
    },
    async removeUnfinished(key) {
      checkKey(key)
      if (!(await places.has(key))) return
      if (await unlinkIfThere(places.part(key))) await places.sync(key)
    },
    async quarantine(key) {
      checkKey(key)
      if (await places.has(key)) await moveAside(key).catch(refuse)
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
