import { constants } from 'node:fs'
import { mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  existsFailure,
  moveIntoPlace,
  makeFolder,
  makeFolders,
  sizeOf,
  type Existing,
} from '../files/local-file.ts'
import { distinctPaths, safePath } from '../files/safe-path.ts'
import { hiddenFailure, isHidden, type HiddenPolicy } from '../files/hidden-files.ts'
import { Failure, localFailure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { ArchiveKind } from './archive-kind.ts'
import { createExtractionLimit } from './extraction-limit.ts'
import type { Member } from './member.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'

export interface ExtractionOptions {
  readonly platform: NodeJS.Platform
  /** The target folder. No path leads out of it. */
  readonly base: string
  readonly existing: Existing
  readonly maySaveHidden: HiddenPolicy
  readonly signal: AbortSignal
}

export interface Extracted {
  /** Paths of the files. */
  readonly paths: readonly string[]
  /** Names of skipped members: links, devices. */
  readonly skipped: readonly string[]
}

/** An unpacked file, with a number as its name until all files are unpacked. */
interface Staged {
  readonly file: string
  readonly segments: readonly string[]
}

/**
 * Unpacks an archive into a folder: all of it or nothing. Names are made safe, and links are skipped.
 * @throws Failure, the signal's reason
 */
export async function extractArchive(
  options: ExtractionOptions,
  archive: string,
  kind: ArchiveKind,
): Promise<Extracted> {
  const { base } = options
  const staging = await mkdtemp(join(base, '.svc-unpacking-'))
  try {
    const unpacked = await unpack(options, await membersOf(archive, kind, base), staging)
    return { paths: await place(options, unpacked), skipped: unpacked.skipped }
  } catch (error) {
    options.signal.throwIfAborted()
    if (error instanceof Failure) throw new Failure(`${archive}: ${error.message}`, error.status, error)
    throw localFailure(`${archive} cannot be unpacked: ${errorMessage(error)}`, error)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function membersOf(archive: string, kind: ArchiveKind, base: string): Promise<AsyncIterable<Member>> {
  const [{ size }, space] = await Promise.all([stat(archive), statfs(base).catch(() => undefined)])
  const limit = createExtractionLimit(size, space === undefined ? Infinity : space.bavail * space.bsize)
  return kind === 'zip' ? readZip(archive, limit) : readTar(archive, kind, limit)
}

interface Unpacked {
  readonly files: readonly Staged[]
  readonly folders: readonly (readonly string[])[]
  readonly skipped: readonly string[]
}

async function unpack(
  { platform, signal }: ExtractionOptions,
  members: AsyncIterable<Member>,
  staging: string,
): Promise<Unpacked> {
  const files: Staged[] = []
  const folders: (readonly string[])[] = []
  const skipped: string[] = []
  for await (const { name, kind, bytes } of members) {
    signal.throwIfAborted()
    const segments = safePath(name, platform)
    switch (kind) {
      case 'file': {
        const file = join(staging, String(files.length))
        await writeFile(file, bytes(), {
          flag: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
          signal,
        })
        files.push({ file, segments })
        break
      }
      case 'folder':
        folders.push(segments)
        break
      case 'other':
        skipped.push(name)
        break
    }
  }
  return { files, folders, skipped }
}

/** Renames the unpacked files, after checking that no existing file is in the way. */
async function place(
  { base, existing, maySaveHidden }: ExtractionOptions,
  { files, folders }: Unpacked,
): Promise<readonly string[]> {
  const all = [...folders, ...files.map(({ segments }) => segments)]
  const hidden = all.filter(isHidden).map((segments) => segments.join('/'))
  if (!(await maySaveHidden(hidden))) throw hiddenFailure(hidden)
  const names = distinctPaths(files.map(({ segments }) => segments))
  const paths = names.map((name) => join(base, name))
  if (existing === 'keep')
    for (const path of paths) if ((await sizeOf(path)) !== undefined) throw existsFailure(path)
  for (const segments of folders) await makeFolder(base, join(base, ...segments))
  const made = new Set<string>()
  for (const [index, path] of paths.entries()) {
    if (!made.has(dirname(path))) await makeFolders(base, path)
    made.add(dirname(path))
    await moveIntoPlace(files[index]?.file ?? '', path, existing)
  }
  return paths
}
