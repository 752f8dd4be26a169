import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mebibyte } from '../../src/domain/sizes.ts'

const run = promisify(execFile)

/** A separate disk: an ext4 file system in a file, mounted by a loop device. */
export interface Disk {
  /** The mount point. */
  readonly path: string
  /**
   * The disk as a power cut would leave it now: everything that has reached the device, nothing that the system
   * still holds in memory. Writers must be stopped during the call. The file is copied until a copy equals its
   * source, so that the copy has one moment of the device, not several.
   * @returns mounted, after the file system has replayed its journal
   */
  cutPower(): Promise<Disk>
  remove(): Promise<void>
}

const size = 192 * mebibyte

export async function newDisk(): Promise<Disk> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-disk-'))
  const image = join(folder, 'image')
  await writeFile(image, '')
  await truncate(image, size)
  await run('/sbin/mkfs.ext4', ['-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image])
  return mountImage(folder, image)
}

async function mountImage(folder: string, image: string): Promise<Disk> {
  const path = join(folder, 'mounted')
  await mkdir(path)
  await run('mount', ['-o', 'loop', image, path])
  return {
    path,
    async cutPower() {
      const copies = await mkdtemp(join(tmpdir(), 'svc-disk-'))
      const copy = join(copies, 'image')
      do {
        await run('cp', ['--sparse=always', image, copy])
      } while (!(await isSame(image, copy)))
      return mountImage(copies, copy)
    },
    async remove() {
      await run('umount', [path])
      await rm(folder, { recursive: true })
    },
  }
}

const isSame = (a: string, b: string): Promise<boolean> =>
  run('cmp', ['-s', a, b]).then(
    () => true,
    () => false,
  )
