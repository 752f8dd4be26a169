import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes a file that only its owner may read. It replaces an older file of this name only when all of it is on the
 * disk, and returns when its name is, too.
 * @param suffix makes a unique name for the unfinished file
 * @throws when the file cannot be written, or the signal is aborted; then no new file remains
 */
export async function writeWholeFile(
  path: string,
  text: AsyncIterable<string>,
  { suffix, signal }: { readonly suffix: string; readonly signal: AbortSignal },
): Promise<void> {
  const unfinished = `${path}.${suffix}.part`
  const file = await open(unfinished, 'wx', 0o600).catch((cause: unknown) => {
    throw new Error(`${path} cannot be written`, { cause })
  })
  try {
    await pipeline(Readable.from(text), file.createWriteStream({ flush: true }), { signal })
    await rename(unfinished, path)
    await using directory = await open(dirname(path))
    await directory.sync()
  } catch (error) {
    await rm(unfinished, { force: true })
    if (signal.aborted) throw error
    throw new Error(`${path} cannot be written`, { cause: error })
  }
}
