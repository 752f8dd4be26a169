import { randomFillSync } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Options } from './options.ts'

/** The context of every case. */
export interface Bench extends AsyncDisposable {
  /** The folder for everything that is written; it is removed at the end. */
  readonly directory: string
  /** Bytes of a large file. */
  readonly size: number
  /** Uploads of a large database. */
  readonly uploads: number
  /** Files that the page sends at once. */
  readonly files: number
  /** The database of the large database cases. */
  readonly database: Options['database']
  /** The address of another server to compare with, ending in `/`. */
  readonly peer: Options['peer']
  /** Aborted when the run stops early. */
  readonly signal: AbortSignal
  /** Path of a file of `size` random bytes, created on first use. */
  readonly largeFile: () => Promise<string>
  /**
   * A separate empty directory.
   * @param label the start of its name
   */
  readonly newDirectory: (label: string) => Promise<string>
}

export type BenchOptions = Pick<
  Bench,
  'directory' | 'size' | 'uploads' | 'files' | 'database' | 'peer' | 'signal'
>

/** Creates the temporary directory of a run below `directory`. */
export async function openBench({ directory: parent, ...options }: BenchOptions): Promise<Bench> {
  const directory = await mkdtemp(path.join(parent, 'svc-bench-'))
  let largeFile: Promise<string> | undefined
  return {
    directory,
    ...options,
    largeFile: () => (largeFile ??= writeLargeFile(path.join(directory, 'large.bin'), options.size)),
    newDirectory: (label) => mkdtemp(path.join(directory, `${label}-`)),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true, maxRetries: 3 }),
  }
}

const blockSize = 16 * 1024 * 1024

/** One random block, repeated: enough, because nothing on the path compresses. */
async function writeLargeFile(file: string, size: number): Promise<string> {
  const block = randomFillSync(Buffer.allocUnsafe(blockSize))
  await using handle = await open(file, 'wx')
  for (let left = size; left > 0; left -= blockSize) await handle.write(block, 0, Math.min(left, blockSize))
  // Delayed writes would disturb the first measurements.
  await handle.sync()
  return file
}
