import { basename, dirname, join, resolve } from 'node:path'
import { stat, statfs } from 'node:fs/promises'
import type { File } from '@svc/contract'
import { defineCommand, type ArgsDef, type ParsedArgs } from 'citty'
import { outputArguments, serverArguments } from '../arguments/common.ts'
import { everyValue } from '../arguments/strict.ts'
import { countOption, rateOption } from '../arguments/values.ts'
import { choose, type Chosen } from '../download/choose.ts'
import { fetchBytes, type Fetching } from '../download/fetch-bytes.ts'
import { partPath, sizeOf } from '../download/place.ts'
import { distinctPaths, safePath } from '../download/safe-path.ts'
import { saveFile } from '../download/save-file.ts'
import { outputSink } from '../download/sink.ts'
import { exitCodes } from '../exit-codes.ts'
import { extractSaved } from '../extract/extract-saved.ts'
import { Failure, localFailure, usageFailure } from '../failure.ts'
import { loadUpload, openLink } from '../links/open-link.ts'
import { printable, printableJson } from '../output/printable.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import { reasonOf } from '../output/reasons.ts'
import { roughSize } from '../output/sizes.ts'
import type { Program } from '../program.ts'
import { inParallel } from '../server/in-parallel.ts'
import { createLimit } from '../server/limit-rate.ts'
import { createTidying } from '../server/tidy-memory.ts'
import { statusOf } from '../status-of.ts'

const args = {
  links: {
    type: 'positional',
    required: true,
    valueHint: '…',
    description: 'Links of pages or files, or ids of uploads',
  },
  file: {
    type: 'string',
    alias: 'f',
    valueHint: 'PATTERN',
    description: 'Only files of such names (`*.jpg`); may be given several times',
  },
  output: {
    type: 'string',
    alias: 'o',
    valueHint: 'PATH',
    description: 'Folder, name of the only file, or `-` for standard output',
  },
  extract: {
    type: 'boolean',
    alias: 'x',
    description:
      'Unpack archives (zip, tar, tar.gz, tar.zst) where they would be saved, and keep only what was in them',
  },
  yes: { type: 'boolean', alias: 'y', description: 'Overwrite files that are there' },
  password: {
    type: 'string',
    alias: 'p',
    valueHint: '[LOGIN:]PASSWORD',
    description: 'Of a protected upload. Safer in SVC_PASSWORD, or asked for',
  },
  verify: {
    type: 'boolean',
    default: true,
    description: 'Compare checksums',
    negativeDescription: 'Do not compare checksums',
  },
  ...serverArguments,
  ...outputArguments,
  concurrency: { type: 'string', valueHint: 'NUMBER', description: 'Files at a time (default: 4)' },
  'limit-rate': { type: 'string', valueHint: 'BYTES', description: 'Bytes a second: 500k, 2MB' },
  retries: {
    type: 'string',
    valueHint: 'NUMBER',
    description: 'How often a connection may break without a byte in between (default: 5)',
  },
} as const satisfies ArgsDef

type Given = ParsedArgs<typeof args>

export const get = (program: Program) =>
  defineCommand({
    meta: {
      name: 'get',
      description: 'Download files. What broke off is gone on with when it is asked for again',
    },
    args,
    async run({ args: given, rawArgs }) {
      const settings = {
        patterns: everyValue(args, rawArgs, 'file'),
        limit: createLimit(program.clock, rateOption(given['limit-rate'])),
        concurrency: countOption('concurrency', given.concurrency, { least: 1, most: 64, otherwise: 4 }),
        retries: countOption('retries', given.retries, { least: 0, most: 1000, otherwise: 5 }),
      }
      const results: Result[] = []
      for (const link of given._) results.push(...(await getLink(program, { given, settings, link })))
      if (given.json === true) program.print(printableJson(results.map(shown)))
      program.fail(statusFor(results))
    },
  })

interface Asked {
  readonly given: Given
  readonly settings: {
    readonly patterns: readonly string[]
    readonly limit: Fetching['limit']
    readonly concurrency: number
    readonly retries: number
  }
  readonly link: string
}

interface Result {
  readonly name: string
  readonly file?: File
  readonly path?: string
  /** What came out of it. */
  readonly extracted?: readonly string[]
  readonly status: 'downloaded' | 'present' | 'failed'
  readonly error?: unknown
}

const shown = ({ name, file, path, extracted, status, error }: Result) => ({
  name,
  ...(extracted !== undefined ? { extracted } : path !== undefined && { path }),
  status,
  ...(file !== undefined && { size: file.fileSize, md5: file.md5, type: file.type }),
  ...(error !== undefined && { error: reasonOf(error) }),
})

/** A link that fails does not keep the next one from being asked; being interrupted does. */
async function getLink(program: Program, asked: Asked): Promise<Result[]> {
  try {
    return await getUpload(program, asked)
  } catch (error) {
    program.interrupted.throwIfAborted()
    if (asked.given._.length === 1) throw error
    program.complain(`${printable(asked.link)}: ${printable(reasonOf(error))}`)
    return [{ name: asked.link, status: 'failed', error }]
  }
}

async function getUpload(program: Program, { given, settings, link }: Asked): Promise<Result[]> {
  const opened = await openLink(program, given, link)
  const { upload, access } = await loadUpload(program, opened)
  const chosen = choose(upload, opened.link, settings.patterns)
  const failed = tellMissing(program, chosen)
  const places = await placesOf(program, given, chosen.files)
  if (places === 'output') program.interrupted.throwIfAborted()
  else await requireSpace(places)
  const tidy = createTidying()
  const progress = createProgress(program, {
    total: upload.stream ? undefined : chosen.files.reduce((sum, { fileSize }) => sum + fileSize, 0),
    quiet: given.quiet === true || given.json === true,
  })
  const fetching: Fetching = {
    client: opened.client,
    upload,
    access,
    limit: settings.limit,
    signal: program.interrupted,
    retrying: {
      clock: program.clock,
      signal: program.interrupted,
      retries: settings.retries,
      onPause: (error, seconds) => {
        progress.warn(`${reasonOf(error)}; going on in ${String(seconds)} s`)
      },
    },
    onBytes: (bytes) => {
      progress.add(bytes)
      tidy(bytes)
    },
    verify: given.verify,
  }
  try {
    if (places === 'output') return [...failed, ...(await toOutput(program, fetching, chosen))]
    return [...failed, ...(await toFiles({ program, given, fetching, progress, settings }, places))]
  } finally {
    progress.end()
  }
}

function tellMissing(program: Program, { files, gone, unknown }: Chosen): Result[] {
  const gones = gone.map((file) => ({
    name: file.fileName,
    file,
    status: 'failed' as const,
    error: new Failure(
      file.status === 'removed' || file.status === 'deleted' ? 'it was removed' : 'it is not there yet',
    ),
  }))
  const unknowns = unknown.map((name) => ({
    name,
    status: 'failed' as const,
    error: new Failure('the upload has no such file'),
  }))
  const failed: Result[] = [...gones, ...unknowns]
  if (files.length === 0 && failed.length === 0) throw new Failure('the upload has no files')
  for (const { name, error } of failed) program.complain(`${printable(name)}: ${reasonOf(error)}`)
  return failed
}

/** Where a file goes. */
interface Place {
  readonly file: File
  readonly base: string
  readonly path: string
}

async function placesOf(
  program: Program,
  { output, extract }: Given,
  files: readonly File[],
): Promise<readonly Place[] | 'output'> {
  if (output === '-') {
    if (extract === true)
      throw usageFailure('standard output takes a file as it is; what is unpacked needs a folder')
    if (files.length > 1) throw usageFailure('standard output takes one file; choose it with --file')
    return 'output'
  }
  const [only] = files
  const wanted = resolve(program.directory, output ?? '.')
  const named = output !== undefined && files.length === 1 && extract !== true
  if (named && only !== undefined && !(await isFolder(output, wanted)))
    return [{ file: only, base: dirname(wanted), path: wanted }]
  const paths = distinctPaths(files.map(({ fileName }) => safePath(fileName, program.platform)))
  return files.map((file, index) => ({ file, base: wanted, path: join(wanted, paths[index] ?? file.id) }))
}

async function isFolder(written: string, path: string): Promise<boolean> {
  if (/[/\\]$/.test(written)) return true
  const stats = await stat(path).catch(() => undefined)
  return stats?.isDirectory() ?? false
}

/** It is kinder to say so before an hour has passed. */
async function requireSpace(places: readonly Place[]): Promise<void> {
  const [first] = places
  if (first === undefined) return
  const space = await statfs(first.base).catch(() => undefined)
  if (space === undefined || space.bsize === 0) return
  const there = await Promise.all(places.map(({ path, file }) => sizeOf(partPath(path, file.id))))
  const needed = places.reduce(
    (sum, { file }, index) => sum + Math.max(0, file.fileSize - (there[index] ?? 0)),
    0,
  )
  const free = space.bavail * space.bsize
  if (needed > free)
    throw localFailure(`${first.base}: ${roughSize(needed)} are needed, ${roughSize(free)} are free`)
}

async function toOutput(program: Program, fetching: Fetching, { files }: Chosen): Promise<Result[]> {
  const [file] = files
  if (file === undefined) return []
  await fetchBytes(fetching, file, outputSink(program.output))
  return [{ name: file.fileName, file, status: 'downloaded' }]
}

interface ToFiles extends Pick<Asked, 'given' | 'settings'> {
  readonly program: Program
  readonly fetching: Fetching
  readonly progress: Progress
}

async function toFiles(to: ToFiles, places: readonly Place[]): Promise<Result[]> {
  const { program, given, fetching, progress, settings } = to
  const results: Result[] = []
  await inParallel(places, settings.concurrency, async ({ file, base, path }) => {
    const name = file.fileName
    const existing = given.yes === true ? 'replace' : 'keep'
    try {
      const status = await saveFile({ ...fetching, program, base, existing }, file, path)
      progress.tell(`${status === 'present' ? 'is already here' : 'got'}: ${printable(basename(path))}`)
      const { platform } = program
      const unpacking = { platform, base, existing, signal: fetching.signal, progress } as const
      const extracted = given.extract === true ? await extractSaved(unpacking, path, status) : undefined
      results.push({ name, file, path, status, ...(extracted && { extracted }) })
      if (given.json !== true) for (const one of extracted ?? [path]) program.print(printable(one))
    } catch (error) {
      results.push({ name, file, path, status: 'failed', error })
      const { aborted } = fetching.signal
      if (!aborted) progress.warn(`${printable(name)}: ${printable(reasonOf(error))}`)
      const part = partPath(path, file.id)
      const kept = await sizeOf(part)
      if (kept !== undefined)
        progress.warn(`${printable(part)} keeps the first ${roughSize(kept)}; ask again to go on`)
      fetching.signal.throwIfAborted()
    }
  })
  return results
}

function statusFor(results: readonly Result[]): number {
  const bad = results.filter(({ status }) => status === 'failed')
  if (bad.length === 0) return exitCodes.done
  return bad.length < results.length ? exitCodes.partly : statusOf(bad[0]?.error)
}
