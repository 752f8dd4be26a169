import { startUnlinkThread, type UnlinkFiles, type UnlinkResult } from './unlink-thread.ts'

/** Two are enough: one works while the other waits for the journal of the file system. */
const maxThreads = 2

const threads: (UnlinkFiles | undefined)[] = []

/**
 * Unlinks the files of some directories. Each unlink through libuv's pool cost two thread switches, which took as long as the
 * unlink, and blocked file reads of requests. These threads start when they are first needed, and each is woken once for all
 * files of its directories.
 * @param directories the paths of each directory: no two threads work in one
 * @returns the result for each path
 * @throws UnlinkThreadError
 */
export async function unlinkFiles(
  directories: readonly (readonly string[])[],
): Promise<ReadonlyMap<string, UnlinkResult>> {
  const shares = Array.from({ length: maxThreads }, (_, number) =>
    directories.filter((_paths, index) => index % maxThreads === number).flat(),
  )
  const results = await Promise.all(
    shares.map(async (paths, number) => {
      if (paths.length === 0) return []
      const unlinked = await threadOf(number)(paths)
      return unlinked.map((result, index) => [paths[index] ?? '', result] as const)
    }),
  )
  return new Map(results.flat())
}

const threadOf = (number: number): UnlinkFiles =>
  (threads[number] ??= startUnlinkThread(() => {
    threads[number] = undefined
  }))
