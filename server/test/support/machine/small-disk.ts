import { execFileSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of a given size, which only root can create. */
export interface SmallDisk {
  /** The mount point. */
  readonly path: string
  /** Bytes that can still be written. */
  readonly free: () => number
  makeReadOnly(): void
  remove(): Promise<void>
}

/** @param size bytes */
export async function smallDisk(size: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'svcd-small-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${String(size)}`, 'tmpfs', path])
  return {
    path,
    free() {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    },
    makeReadOnly() {
      execFileSync('mount', ['-o', 'remount,ro', path])
    },
    async remove() {
      execFileSync('umount', [path])
      await rm(path, { recursive: true })
    },
  }
}
