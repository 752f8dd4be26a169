import { watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { errorMessage } from '../errors/error-message.ts'
import { localFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { whenQuiet } from './when-quiet.ts'

export interface Watching {
  readonly folder: string
  /** Milliseconds without a change, after which a file is complete. */
  readonly quietMs: number
  /** Called when the folder is being watched. */
  readonly onReady: () => void
  /** Called for one file after the other. Must not reject. */
  readonly onFile: (path: string) => Promise<void>
}

/** Hidden files, and those that programs are still writing, get another name when they are complete. */
const isTemporary = (name: string): boolean =>
  name.split(sep).some((part) => part.startsWith('.') || part.endsWith('~')) ||
  ['.part', '.crdownload', '.tmp', '.swp'].some((ending) => name.endsWith(ending))

/**
 * Reports each file that appears in a folder, or below it, until the program is interrupted. Files that are there stay.
 * @throws Failure if the folder cannot be watched; the reason of the interruption
 */
export async function watchFolder(
  { clock, interrupted: signal }: Program,
  { folder, quietMs, onReady, onFile }: Watching,
): Promise<void> {
  const states = new Map<string, string>()
  let last = Promise.resolve()
  const report = async (path: string) => {
    const stats = await stat(path, { bigint: true }).catch(() => undefined)
    // It may be gone, or be a change of the attributes only.
    if (stats === undefined || !stats.isFile() || signal.aborted) return
    const state = `${String(stats.size)} ${String(stats.mtimeNs)}`
    if (states.get(path) === state) return
    states.set(path, state)
    await onFile(path)
  }
  const quiet = whenQuiet(clock, quietMs, signal, (path) => {
    last = last.then(() => report(path))
  })
  const seen = async (name: string) => {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isFile()) quiet.changed(path)
    // A folder that was moved here has files that nothing reports.
    if (stats?.isDirectory())
      for (const entry of await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []))
        if (entry.isFile() && !isTemporary(entry.name)) quiet.changed(join(entry.parentPath, entry.name))
  }
  try {
    await new Promise<void>((done, failed) => {
      const watcher = watch(folder, { recursive: true, signal })
      watcher.on('change', (_kind, name) => {
        const written = String(name)
        if (!isTemporary(written)) void seen(written)
      })
      watcher.once('error', failed).once('close', done)
      onReady()
    })
  } catch (error) {
    signal.throwIfAborted()
    throw localFailure(`${folder} cannot be watched: ${errorMessage(error)}`, error)
  } finally {
    await last
  }
  signal.throwIfAborted()
}
