import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, chownSync, constants, mkdirSync, mkdtempSync, statfsSync } from 'node:fs'
import { release, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Identity } from './daemon.ts'

/** A file system of Linux in memory. */
const memory = '/dev/shm'

/** Bytes that have to be free in memory: servers of parallel tests use up to a third. */
const leastFree = 3e9

export interface FolderOptions {
  /** The owner; the current user by default. */
  readonly identity?: Identity
  /** Folders in it. */
  readonly children?: readonly string[]
  /** A folder in memory, where the machine has enough: a sync of a disk takes milliseconds. */
  readonly isInMemory: boolean
}

/** Waits until the input ends, and removes the folder. Processes that have just been killed may still write to it. */
const removal = 'cat; for try in 1 2 3 4 5 6 7 8 9; do rm -rf "$1" && exit; sleep 0.2; done'

/** The process that removes a folder. */
const removers = new Map<string, ChildProcess>()

/**
 * Creates a folder for the files of a server, owned by the user that runs it. Another process removes it, at the latest
 * when the current process has ended, however it ended.
 * @returns its path
 */
export function newFolder(name: string, { identity, children = [], isInMemory }: FolderOptions): string {
  const { ids = {} } = identity ?? {}
  const folder = mkdtempSync(join(isInMemory && isMemoryUsable() ? memory : tmpdir(), `svc-${name}-`))
  // A separate session: Ctrl-C ends the current process and not this one.
  const remover = spawn('sh', ['-c', removal, 'sh', folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  remover.unref()
  removers.set(folder, remover)
  chmodSync(folder, 0o755)
  const paths = [folder, ...children.map((child) => join(folder, child))]
  for (const path of paths) {
    mkdirSync(path, { recursive: true })
    if (ids.uid !== undefined && ids.gid !== undefined) chownSync(path, ids.uid, ids.gid)
  }
  return folder
}

export async function removeFolder(folder: string): Promise<void> {
  const remover = removers.get(folder)
  if (remover === undefined) return
  removers.delete(folder)
  // Without a reference, a program with no other work would end before the folder is removed.
  remover.ref()
  const removed = once(remover, 'exit')
  remover.stdin?.end()
  await removed
}

function isMemoryUsable(): boolean {
  // Before Linux 6.6, files in memory lack the extended attributes that Swift stores.
  const [major = 0, minor = 0] = release().split('.').map(Number)
  if (process.platform !== 'linux' || major < 6 || (major === 6 && minor < 6)) return false
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= leastFree
  } catch {
    return false
  }
}
