import { stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { File } from '@svc/contract'
import { roughSize } from '@svc/terminal'
import type { SaveArgs } from '../arguments/get-args.ts'
import { localFailure, usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { largestPart } from '../files/local-file.ts'
import { isHidden } from '../files/hidden-files.ts'
import { distinctPaths, safePath } from '../files/safe-path.ts'
import type { DownloadSource } from '../sources/source.ts'

/** The target of a file. */
export interface PlannedFile {
  readonly file: File
  /** The folder that it may not leave. */
  readonly base: string
  readonly path: string
  /** Whether the sender chose a hidden name for it. */
  readonly isHidden: boolean
  /** In the names of its partial files. */
  readonly id: string
  /** Whether another run may continue it. */
  readonly canContinue: boolean
}

/**
 * The targets of all files; `output` is standard output.
 * @throws Failure
 */
export async function planFiles(
  program: Program,
  { output, extract = false }: SaveArgs,
  { files, identify, paths: sourcePaths }: Pick<DownloadSource, 'files' | 'identify' | 'paths'>,
): Promise<readonly PlannedFile[] | 'output'> {
  if (output === '-') {
    if (extract) throw usageFailure('cannot unpack to standard output; use a folder')
    if (files.length > 1) throw usageFailure('standard output takes only one file; choose it with --file')
    return 'output'
  }
  const [only] = files
  const target = resolve(program.directory, output ?? '.')
  const isNamed = output !== undefined && files.length === 1 && !extract
  if (isNamed && only !== undefined && !(await isFolder(output, target)))
    return [{ file: only, base: dirname(target), path: target, isHidden: false, ...identify(only) }]
  const paths =
    sourcePaths ?? distinctPaths(files.map(({ fileName }) => safePath(fileName, program.platform)))
  return files.map((file, index) => {
    const identity = identify(file)
    const path = paths[index] ?? identity.id
    return { file, base: target, path: join(target, path), isHidden: isHidden(path.split('/')), ...identity }
  })
}

async function isFolder(written: string, path: string): Promise<boolean> {
  if (/[/\\]$/.test(written)) return true
  const stats = await stat(path).catch(() => undefined)
  return stats?.isDirectory() ?? false
}

/**
 * Checks the free space before the download.
 * @throws Failure
 */
export async function requireSpace(planned: readonly PlannedFile[]): Promise<void> {
  const [first] = planned
  if (first === undefined) return
  const space = await statfs(first.base).catch(() => undefined)
  if (space === undefined || space.bsize === 0) return
  const there = await Promise.all(planned.map(({ path }) => largestPart(path)))
  const needed = planned.reduce(
    (sum, { file }, index) => sum + Math.max(0, file.fileSize - (there[index] ?? 0)),
    0,
  )
  const free = space.bavail * space.bsize
  if (needed <= free) return
  const isClose = roughSize(needed) === roughSize(free)
  const size = isClose ? (bytes: number) => `${String(bytes)} bytes` : roughSize
  throw localFailure(`${first.base}: ${size(needed)} needed, but only ${size(free)} free`)
}
