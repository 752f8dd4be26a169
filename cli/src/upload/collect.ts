import { createReadStream, type BigIntStats, type Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { fileNameFault, type FileNameFault } from '@svc/contract'
import { roughSize } from '@svc/terminal'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import type { FileItem, Item, Problem } from '../files/item.ts'

export interface Collected {
  readonly items: readonly Item[]
  readonly problems: readonly Problem[]
}

/** The items found so far. */
interface Collecting {
  /** Ctrl-C, because searching a disk can take long. */
  readonly signal: AbortSignal
  readonly items: Item[]
  readonly problems: Problem[]
}

interface InFolder extends Collecting {
  /** Real path of the given folder: nothing outside of it is sent. */
  readonly root: string
}

const faults: Readonly<Record<FileNameFault, string>> = {
  empty: 'the name is empty',
  long: 'the name is too long',
  broken: 'the name is not valid text',
  control: 'the name contains control characters; use --name to set another',
  direction: 'the name contains characters that change the writing direction; use --name to set another',
  unnamed: 'a folder in the name is empty',
  dots: 'the name contains . or ..',
}

/** The problem of a file name; undefined when it is valid. */
export function nameProblem(name: string): string | undefined {
  const fault = fileNameFault(name)
  return fault && faults[fault]
}

export const standardInputName = 'stdin'

/**
 * Finds the files to send: files, the files of folders, standard input for `-`.
 * @param name name of the file, if there is only one
 * @throws the reason of an interruption
 */
export async function collect(
  program: Program,
  paths: readonly string[],
  name: string | undefined,
): Promise<Collected> {
  const { interrupted: signal } = program
  const items: Item[] = []
  const problems: Problem[] = []
  for (const path of paths) {
    if (path === '-') {
      items.push({ kind: 'stream', name: name ?? standardInputName, open: () => program.input })
      continue
    }
    try {
      const full = resolve(program.directory, path)
      await collectNamed({ signal, items, problems }, { path: full, name: name ?? basename(full) })
    } catch (error) {
      signal.throwIfAborted()
      problems.push({ path, reason: errorMessage(error), kind: 'failed' })
    }
  }
  const valid = items.filter(({ name }) => {
    const reason = nameProblem(name)
    if (reason !== undefined) problems.push({ path: name, reason, kind: 'failed' })
    return reason === undefined
  })
  return { items: valid, problems }
}

interface NamedPath {
  readonly path: string
  readonly name: string
}

const fileItem = ({ path, name }: NamedPath, stats: BigIntStats): FileItem => ({
  kind: 'file',
  path,
  name,
  size: Number(stats.size),
  mode: Number(stats.mode) & 0o777,
  changedAt: stats.mtimeNs,
})

async function collectNamed(collecting: Collecting, named: NamedPath): Promise<void> {
  const stats = await stat(named.path, { bigint: true })
  // A pipe has no real path.
  if (stats.isDirectory()) await collectFolder({ ...collecting, root: await realpath(named.path) }, named)
  else if (stats.isFile()) addFile(collecting, named, stats)
  // The path of <(command) in a shell, and the pipes of a terminal or program.
  else if (stats.isFIFO() || stats.isCharacterDevice())
    collecting.items.push({ kind: 'stream', name: named.name, open: () => createReadStream(named.path) })
  else collecting.problems.push({ path: named.path, reason: 'not a file', kind: 'failed' })
}

/** Bytes. Smaller sparse files cause no warning. */
const minReportedBytes = 1_000_000

function addFile({ items, problems }: Collecting, named: NamedPath, stats: BigIntStats): void {
  items.push(fileItem(named, stats))
  const stored = Number(stats.blocks) * 512
  const size = Number(stats.size)
  if (size >= minReportedBytes && stored < size / 2)
    problems.push({
      path: named.path,
      reason: `mostly holes: ${roughSize(size)} are sent for ${roughSize(stored)} on the disk`,
      kind: 'skipped',
    })
}

async function collectFolder(collecting: InFolder, named: NamedPath): Promise<void> {
  let entries: Dirent[]
  try {
    entries = await readdir(named.path, { withFileTypes: true })
  } catch (error) {
    collecting.problems.push({ path: named.path, reason: errorMessage(error), kind: 'failed' })
    return
  }
  if (entries.length === 0)
    collecting.problems.push({ path: named.path, reason: 'empty folder skipped', kind: 'skipped' })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    collecting.signal.throwIfAborted()
    const inside = { path: join(named.path, entry.name), name: `${named.name}/${entry.name}` }
    await collectEntry(collecting, entry, inside)
  }
}

async function collectEntry(collecting: InFolder, entry: Dirent, named: NamedPath): Promise<void> {
  const { problems } = collecting
  try {
    if (entry.isDirectory()) await collectFolder(collecting, named)
    else if (entry.isFile()) addFile(collecting, named, await stat(named.path, { bigint: true }))
    else if (entry.isSymbolicLink()) await collectLink(collecting, named)
    else problems.push({ path: named.path, reason: 'not a file', kind: 'skipped' })
  } catch (error) {
    collecting.signal.throwIfAborted()
    problems.push({ path: named.path, reason: errorMessage(error), kind: 'failed' })
  }
}

/** A link may refer to a file of the same folder, but not to a file outside, nor to a folder (loops). */
async function collectLink(collecting: InFolder, named: NamedPath): Promise<void> {
  const { root, problems } = collecting
  const real = await realpath(named.path)
  const stats = await stat(real, { bigint: true })
  if (real !== root && !real.startsWith(root + sep))
    problems.push({ path: named.path, reason: 'link to outside the folder skipped', kind: 'skipped' })
  else if (stats.isFile()) addFile(collecting, named, stats)
  else problems.push({ path: named.path, reason: 'link to a folder skipped', kind: 'skipped' })
}
