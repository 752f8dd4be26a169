import pLimit from 'p-limit'
import { checkKey } from '../../backend/key.ts'
import type { Shards } from '../disk/shards.ts'
import { unlinkFiles } from './unlink-files.ts'

/** The number of directories that are processed in parallel: other requests need threads for their files, too. */
const concurrency = 2

/** Keys that share a directory, and one of them. */
interface Group {
  readonly keys: readonly string[]
  readonly first: string
}

/**
 * Removes whole files, then brings the names that are gone from each directory to the disk together. With keys in their
 * order, of which many share a directory, there are few directories.
 * @returns why what is still there could not be removed, by its key
 * @throws UnlinkThreadError
 */
export async function removeFiles(
  keys: readonly string[],
  shards: Shards,
): Promise<ReadonlyMap<string, unknown>> {
  keys.forEach(checkKey)
  const failures = new Map<string, unknown>()
  const limit = pLimit(concurrency)
  const eachOf = async (groups: readonly Group[], work: (group: Group) => Promise<void>) => {
    const tryGroup = async (group: Group) => {
      try {
        await work(group)
      } catch (error) {
        for (const key of group.keys) failures.set(key, error)
      }
    }
    await Promise.all(groups.map((group) => limit(tryGroup, group)))
  }
  const present: Group[] = []
  await eachOf(groupsOf(keys, shards), async (group) => {
    if (await shards.has(group.first)) present.push(group)
  })
  const results = await unlinkFiles(present.map((group) => group.keys.map(shards.path)))
  const resultOf = (key: string) => results.get(shards.path(key))
  await eachOf(present, async (group) => {
    for (const key of group.keys) {
      const result = resultOf(key)
      if (result instanceof Error) failures.set(key, result)
    }
    if (group.keys.some((key) => resultOf(key) !== 'absent')) await shards.sync(group.first)
    else await shards.requireDirectory()
  })
  return failures
}

const groupsOf = (keys: readonly string[], shards: Shards): readonly Group[] =>
  Array.from(Map.groupBy(keys, shards.shard).values(), (group) => ({ keys: group, first: group[0] ?? '' }))
