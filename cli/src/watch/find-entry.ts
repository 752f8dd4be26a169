import type { BigIntStats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { errorMessage } from '../errors/error-message.ts'
import { skippedLink } from '../files/folder-link.ts'

/** A watched folder. */
export interface WatchedFolder {
  readonly folder: string
  /** Its real path. */
  readonly real: string
}

/** An entry of a watched folder. */
export type FoundEntry =
  | {
      readonly kind: 'file'
      readonly path: string
      /** Size and time of the last change of the content. */
      readonly state: string
    }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'skipped'; readonly path: string; readonly reason: string }

/**
 * Finds the entry of a watched folder that has a name. A name may lead through a link to a folder, which is skipped with all
 * that is in it.
 * @returns undefined if no entry has the name
 */
export async function findEntry(root: WatchedFolder, name: string): Promise<FoundEntry | undefined> {
  let path = root.folder
  let last: BigIntStats | undefined
  for (const part of name.split(sep)) {
    path = join(path, part)
    last = await lstat(path, { bigint: true }).catch(() => undefined)
    if (last === undefined) return undefined
    if (!last.isSymbolicLink()) continue
    const reason = await skippedLink(path, root.real).catch(errorMessage)
    if (reason !== undefined) return { kind: 'skipped', path, reason }
    last = await stat(path, { bigint: true }).catch(() => undefined)
  }
  if (last === undefined) return undefined
  if (last.isDirectory()) return { kind: 'folder', path }
  if (last.isFile()) return { kind: 'file', path, state: `${String(last.size)} ${String(last.mtimeNs)}` }
  return { kind: 'skipped', path, reason: 'not a file; skipped' }
}
