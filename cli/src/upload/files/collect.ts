import { isUtf8 } from 'node:buffer'
import { createReadStream, type BigIntStats, type Dirent } from 'node:fs'
import { lstat, readdir, readlink, stat } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { fileNameFault, type FileNameFault } from '@svc/contract'
import { roughSize } from '@svc/terminal'
import { errorMessage } from '../../errors/error-message.ts'
import type { Program } from '../../program/program.ts'
import {
  isItem,
  type Entry,
  type FileItem,
  type Item,
  type Location,
  type Problem,
} from '../../files/item.ts'
import { realPath, skippedLink } from '../../files/folder-link.ts'
import { readNamedPipe } from '../../files/named-pipe.ts'
import { findLocation, locationIn, nameOf } from '../../files/path-bytes.ts'

export interface Collected {
  readonly entries: readonly Entry[]
  readonly problems: readonly Problem[]
}

export interface CollectOptions {
  /** The folder in which the paths lie; that of the program without one. */
  readonly directory?: string
  /** Name of the file, if there is only one. */
  readonly name?: string | undefined
  /** `all` also returns folders and links, for an archive. */
  readonly kinds: 'files' | 'all'
}

/** The entries found so far. */
interface CollectContext {
  /** Ctrl-C, because searching a disk can take long. */
  readonly signal: AbortSignal
  readonly kinds: CollectOptions['kinds']
  readonly entries: Entry[]
  readonly problems: Problem[]
}

interface FolderContext extends CollectContext {
  /** Real path of the given folder: nothing outside of it is sent. */
  readonly root: string
}

const faults: Readonly<Record<FileNameFault, string>> = {
  empty: 'the name is empty',
  long: 'the name is too long',
  broken: 'the name is not valid text',
  control: 'the name contains control characters',
  direction: 'the name contains characters that change the writing direction',
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
 * Finds what to send: files, the files of folders, standard input for `-`.
 * @throws the reason of an interruption
 */
export async function collect(
  program: Program,
  paths: readonly string[],
  { directory = program.directory, name, kinds }: CollectOptions,
): Promise<Collected> {
  const { interrupted: signal } = program
  const entries: Entry[] = []
  const problems: Problem[] = []
  for (const path of paths) {
    if (path === '-') {
      entries.push({ kind: 'stream', name: name ?? standardInputName, open: () => program.input })
      continue
    }
    try {
      const full = resolve(directory, path)
      const location = await findLocation(full)
      const own = typeof location === 'string' ? Buffer.from(basename(location)) : lastName(location)
      const named = { path, location, name: name ?? nameOf(own) }
      if (name === undefined) warnAboutName(problems, named, own)
      await collectNamed({ signal, kinds, entries, problems }, named)
    } catch (error) {
      signal.throwIfAborted()
      problems.push({ path, reason: errorMessage(error), kind: 'failed' })
    }
  }
  const valid = entries.filter((entry) => {
    const reason = nameProblem(entry.name)
    if (reason !== undefined)
      problems.push({ path: entry.kind === 'stream' ? entry.name : entry.path, reason, kind: 'failed' })
    return reason === undefined
  })
  return { entries: valid, problems }
}

/** The last name of a path of bytes. */
const lastName = (path: Buffer) => path.subarray(path.lastIndexOf(sep) + 1)

interface NamedPath {
  readonly path: string
  readonly location: Location
  readonly name: string
}

function warnAboutName(problems: Problem[], { path, name }: NamedPath, own: Buffer): void {
  const sent = nameOf(own)
  if (Buffer.from(sent).equals(own)) return
  problems.push({ path, reason: `the name cannot be sent as it is; it is sent as ${name}`, kind: 'warning' })
}

const onDisk = ({ path, location, name }: NamedPath, { mode, mtimeNs }: BigIntStats) => ({
  path,
  location,
  name,
  mode: Number(mode) & 0o7777,
  changedAt: mtimeNs,
})

const fileItem = (named: NamedPath, stats: BigIntStats): FileItem => ({
  kind: 'file',
  ...onDisk(named, stats),
  size: Number(stats.size),
  statusChangedAt: stats.ctimeNs,
})

async function collectNamed(context: CollectContext, named: NamedPath): Promise<void> {
  const stats = await stat(named.location, { bigint: true })
  // A pipe has no real path.
  if (stats.isDirectory())
    await collectFolder({ ...context, root: await realPath(named.location) }, named, stats)
  else if (stats.isFile()) addFile(context, named, stats)
  // Named pipes are also the paths of <(command) in a shell.
  else if (stats.isFIFO() || stats.isCharacterDevice()) {
    const open = stats.isFIFO() ? readNamedPipe : createReadStream
    context.entries.push({ kind: 'stream', name: named.name, open: () => open(named.location) })
  } else context.problems.push({ path: named.path, reason: 'not a file', kind: 'failed' })
}

/** Bytes. Smaller sparse files cause no note. */
const minReportedBytes = 1_000_000

function addFile({ entries, problems }: CollectContext, named: NamedPath, stats: BigIntStats): void {
  entries.push(fileItem(named, stats))
  const stored = Number(stats.blocks) * 512
  const size = Number(stats.size)
  if (size >= minReportedBytes && stored < size / 2)
    problems.push({
      path: named.path,
      reason: `mostly holes: ${roughSize(size)} are sent for ${roughSize(stored)} on the disk`,
      kind: 'note',
    })
}

async function collectFolder(context: FolderContext, named: NamedPath, stats: BigIntStats): Promise<void> {
  const { kinds, entries, problems, signal } = context
  let found: Dirent<Buffer>[]
  try {
    found = await readdir(named.location, { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    problems.push({ path: named.path, reason: errorMessage(error), kind: 'failed' })
    return
  }
  if (kinds === 'all') entries.push({ kind: 'folder', ...onDisk(named, stats) })
  else if (found.length === 0)
    problems.push({ path: named.path, reason: 'empty folder skipped', kind: 'skipped' })
  for (const entry of found.toSorted((a, b) => Buffer.compare(a.name, b.name))) {
    signal.throwIfAborted()
    const own = nameOf(entry.name)
    const inside = {
      path: join(named.path, own),
      location: locationIn(named.location, entry.name),
      name: `${named.name}/${own}`,
    }
    if (!entry.isDirectory()) warnAboutName(problems, { ...inside, name: own }, entry.name)
    await collectEntry(context, entry, inside)
  }
}

async function collectEntry(context: FolderContext, entry: Dirent<Buffer>, named: NamedPath): Promise<void> {
  const { problems } = context
  const { location, path } = named
  try {
    if (entry.isDirectory()) await collectFolder(context, named, await stat(location, { bigint: true }))
    else if (entry.isFile()) addFile(context, named, await stat(location, { bigint: true }))
    else if (entry.isSymbolicLink()) await collectLink(context, named)
    else problems.push({ path, reason: 'not a file; skipped', kind: 'skipped' })
  } catch (error) {
    context.signal.throwIfAborted()
    problems.push({ path, reason: errorMessage(error), kind: 'failed' })
  }
}

/** An archive contains the link itself. */
async function collectLink(context: FolderContext, named: NamedPath): Promise<void> {
  const { root, problems, kinds } = context
  if (kinds === 'all') {
    await addLink(context, named)
    return
  }
  const reason = await skippedLink(named.location, root)
  if (reason === undefined) addFile(context, named, await stat(named.location, { bigint: true }))
  else problems.push({ path: named.path, reason, kind: 'skipped' })
}

async function addLink({ entries, problems }: CollectContext, named: NamedPath): Promise<void> {
  const [stats, target] = await Promise.all([
    lstat(named.location, { bigint: true }),
    readlink(named.location, { encoding: 'buffer' }),
  ])
  if (isUtf8(target)) entries.push({ kind: 'link', ...onDisk(named, stats), target: target.toString() })
  else
    problems.push({
      path: named.path,
      reason: 'the target of the link is not valid text; skipped',
      kind: 'skipped',
    })
}

/** The files among what was found. */
export const itemsOf = ({ entries }: Collected): readonly Item[] => entries.filter(isItem)
