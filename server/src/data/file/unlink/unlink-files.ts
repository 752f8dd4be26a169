import { startUnlinkThread, type UnlinkFiles, type Unlinked } from './unlink-thread.ts'

/** One waits for the journal of the file system while another works. */
const mostThreads = 2

const threads: (UnlinkFiles | undefined)[] = []

/**
 * Unlinks the files of some directories. Through the threads of Node's file system each file took two changes of the
 * thread, which cost as much as the unlinking, and occupied what other requests read their files with. Here a thread of
 * the process, started when it is first needed, is woken once for all files of a share of the directories.
 * @param directories paths of each: no two threads work in one
 * @returns what became of each path
 * @throws UnlinkThreadError
 */
export async function unlinkFiles(
  directories: readonly (readonly string[])[],
): Promise<ReadonlyMap<string, Unlinked>> {
  const shares = Array.from({ length: mostThreads }, (_, number) =>
    directories.filter((_paths, index) => index % mostThreads === number).flat(),
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
