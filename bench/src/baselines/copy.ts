import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../bench.ts'
import { run } from '../processes/child.ts'
import { timeInSeconds } from '../measure.ts'

/** Seconds that `cp` needs for a file, on the file system of the server. Nothing is flushed. */
export async function copySeconds({ directory, signal }: Bench, file: string): Promise<number> {
  const copy = path.join(directory, 'copy.bin')
  const elapsed = await timeInSeconds(() => run('cp', [file, copy], { signal }))
  await rm(copy)
  return elapsed
}
