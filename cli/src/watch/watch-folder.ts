import { watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { errorMessage } from '../errors/error-message.ts'
import { localFailure } from '../errors/failure.ts'
import { realPath } from '../files/folder-link.ts'
import type { Program } from '../program/program.ts'
import { inParallel } from '../transfer/in-parallel.ts'
import { findEntry, type WatchedFolder } from './find-entry.ts'
import { whenQuiet } from './when-quiet.ts'

export interface WatchOptions {
  readonly folder: string
  /** Milliseconds without a change, after which a file is complete. */
  readonly quietMs: number
  /** Called when the folder is being watched. */
  readonly onReady: () => void
  /** Called for one file after the other. Must not reject. */
  readonly onFile: (path: string) => Promise<void>
  /** Called once for each link or special file that is not sent. */
  readonly onSkipped: (path: string, reason: string) => void
}

/** Hidden files, and those that programs are still writing, get another name when they are complete. */
const isTemporary = (name: string): boolean =>
  name.split(sep).some((part) => part.startsWith('.') || part.endsWith('~')) ||
  ['.part', '.crdownload', '.tmp', '.swp'].some((ending) => name.endsWith(ending))

/** Number of files whose states are read at a time. */
const concurrency = 16

/**
 * Reports each file that appears in a folder, or below it, until the program is interrupted. Files that are there stay.
 * @throws Failure if the folder cannot be watched; the reason of the interruption
 */
export async function watchFolder(
  { clock, interrupted: signal }: Program,
  { folder, quietMs, onReady, onFile, onSkipped }: WatchOptions,
): Promise<void> {
  const failed = (error: unknown) =>
    localFailure(`${folder} cannot be watched: ${errorMessage(error)}`, error)
  const root = await rootOf(folder).catch((error: unknown) => {
    throw failed(error)
  })
  // A change of the attributes alone is not a change of the content.
  const states = await statesIn(root)
  const skipped = new Set<string>()
  let last = Promise.resolve()
  const find = async (name: string) => {
    const found = await findEntry(root, name)
    if (found?.kind !== 'skipped') return found
    if (!skipped.has(found.path)) onSkipped(found.path, found.reason)
    skipped.add(found.path)
    return undefined
  }
  const report = async (name: string) => {
    const found = await find(name)
    if (found?.kind !== 'file' || signal.aborted || states.get(name) === found.state) return
    states.set(name, found.state)
    await onFile(found.path)
  }
  const quiet = whenQuiet(clock, quietMs, signal, (name) => {
    last = last.then(() => report(name))
  })
  const seen = async (name: string) => {
    const found = await find(name)
    if (found?.kind === 'file') quiet.changed(name)
    // A folder that was moved here has files that nothing reports.
    if (found?.kind === 'folder')
      for (const inside of await namesIn(root, found.path))
        if ((await find(inside))?.kind === 'file') quiet.changed(inside)
  }
  try {
    await new Promise<void>((done, interrupt) => {
      const watcher = watch(folder, { recursive: true, signal })
      watcher.on('change', (_kind, name) => {
        const written = String(name)
        if (!isTemporary(written)) void seen(written)
      })
      watcher.once('error', interrupt).once('close', done)
      onReady()
    })
  } catch (error) {
    signal.throwIfAborted()
    throw failed(error)
  } finally {
    await last
  }
  signal.throwIfAborted()
}

/** @throws Failure if it is not a folder; errors of the system */
async function rootOf(folder: string): Promise<WatchedFolder> {
  if (!(await stat(folder)).isDirectory()) throw localFailure('not a folder')
  return { folder, real: await realPath(folder) }
}

/** Names of all but the folders in one of the watched folders, except temporary files. Links are not followed. */
async function namesIn({ folder }: WatchedFolder, path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !isTemporary(name))
}

/** The states of the files by their names. */
async function statesIn(root: WatchedFolder): Promise<Map<string, string>> {
  const states = new Map<string, string>()
  await inParallel(await namesIn(root, root.folder), concurrency, async (name) => {
    const found = await findEntry(root, name)
    if (found?.kind === 'file') states.set(name, found.state)
  })
  return states
}
