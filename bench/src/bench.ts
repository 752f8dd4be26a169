import { randomFillSync } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Options } from './options.ts'

/** What every case works with. */
export interface Bench extends AsyncDisposable {
  /** Everything that is written goes below it, and goes away with it. */
  readonly directory: string
  /** Bytes of a large file. */
  readonly size: number
  /** Uploads of a large database. */
  readonly uploads: number
  /** What a large database is in. */
  readonly database: Options['database']
  /** Aborted when the run is to stop early. */
  readonly signal: AbortSignal
  /** Path of a file of `size` random bytes, made when it is first asked for. */
  readonly largeFile: () => Promise<string>
  /** An empty directory of its own. @param label the start of its name */
  readonly newDirectory: (label: string) => Promise<string>
}

export type BenchOptions = Pick<Bench, 'directory' | 'size' | 'uploads' | 'database' | 'signal'>

/** Makes the throwaway directory of a run below `directory`. */
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

/** One random block again and again: nothing on the way looks for repetitions. */
async function writeLargeFile(file: string, size: number): Promise<string> {
  const block = randomFillSync(Buffer.allocUnsafe(blockSize))
  await using handle = await open(file, 'wx')
  for (let left = size; left > 0; left -= blockSize) await handle.write(block, 0, Math.min(left, blockSize))
  // What is written back later would disturb the first measurements.
  await handle.sync()
  return file
}
