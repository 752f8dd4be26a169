import pLimit from 'p-limit'
import { unlinkIfThere } from './file-calls.ts'
import { checkKey } from '../backend/key.ts'
import type { Shards } from './shards.ts'

/** Directories that are worked on at once: other requests need threads for their files, too. */
const atOnce = 2

/**
 * Removes whole files. The names that are gone from a directory are brought to the disk together: with keys in their
 * order, of which many share a directory, this is what makes it fast.
 * @returns why what is still there could not be removed, by its key
 */
export async function removeFiles(
  keys: readonly string[],
  places: Shards,
): Promise<ReadonlyMap<string, unknown>> {
  const failures = new Map<string, unknown>()
  keys.forEach(checkKey)
  const byShard = Map.groupBy(keys, (key) => places.shard(key))
  const limit = pLimit(atOnce)
  const removeFrom = async (some: readonly string[], first: string) => {
    try {
      if (!(await places.has(first))) return
      let removed = false
      for (const key of some) {
        const had = await unlinkIfThere(places.path(key)).catch((error: unknown) => {
          failures.set(key, error)
          return true
        })
        removed ||= had
      }
      if (removed) await places.sync(first)
      else await places.requireDirectory()
    } catch (error) {
      for (const key of some) failures.set(key, error)
    }
  }
  await Promise.all(
    byShard.values().map(([first = '', ...others]) => limit(removeFrom, [first, ...others], first)),
  )
  return failures
}
