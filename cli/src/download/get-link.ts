import { basename, relative } from 'node:path'
import type { File } from '@svc/contract'
import { isResumable } from '@svc/sdk'
import { printable, roughSize } from '@svc/terminal'
import { parseDownload } from '../addresses/web-address.ts'
import type { SaveArgs } from '../arguments/get-args.ts'
import type { TransferOptions } from '../arguments/option-values.ts'
import type { KeyRing } from '../encryption/key-ring.ts'
import { errorMessage } from '../errors/error-message.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { exitStatus } from '../errors/exit-status.ts'
import { ManifestFailure } from '../errors/manifest-failure.ts'
import { hiddenFailure, hiddenPolicy, type HiddenPolicy } from '../files/hidden-files.ts'
import { createFolderMaker, sizeOf } from '../files/local-file.ts'
import { passThroughSink, writeOut } from '../files/sink.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import type { Program } from '../program/program.ts'
import { reportFailed, type FileResult } from '../sources/result.ts'
import type { DownloadSource } from '../sources/source.ts'
import { openUpload, type Requested } from '../sources/upload-source.ts'
import { inParallel } from '../transfer/in-parallel.ts'
import { isSmall } from '../transfer/small-files.ts'
import { createTransferContext } from '../transfer/transfer-context.ts'
import type { DownloadContext } from './download-context.ts'
import { extractSaved } from './extract-saved.ts'
import { fetchBytes, type PartialFile } from './fetch-bytes.ts'
import { planFiles, requireSpace, type PlannedFile } from './plan-files.ts'
import { decryptedChecksum } from './decrypted-content.ts'
import { saveFile } from './save-file.ts'

interface SaveRequest {
  readonly args: SaveArgs
  readonly settings: Omit<TransferOptions, 'rate'> & Pick<DownloadContext, 'rateLimit' | 'jobs'>
}

/** A link of a command line with its options. */
interface RequestedLink extends Requested {
  readonly settings: SaveRequest['settings']
  readonly link: string
}

/** Continues with the next link after a failure, but not after an interrupt. */
export async function getLink(program: Program, requested: RequestedLink): Promise<FileResult[]> {
  try {
    return await getSource(program, requested)
  } catch (error) {
    program.interrupted.throwIfAborted()
    if (requested.args._.length === 1) throw error
    program.printToStderr(`${printable(requested.link)}: ${printable(errorMessage(error))}`)
    return [{ name: requested.link, status: 'failed', error }]
  }
}

async function openSource(program: Program, requested: RequestedLink): Promise<DownloadSource> {
  const { link } = requested
  const parsed = parseDownload(link)
  if (parsed.kind === 'upload') return openUpload(program, requested, link)
  const { openWebFile } = await import('../sources/address-source.ts')
  return openWebFile(program, requested, parsed.address)
}

async function getSource(program: Program, requested: RequestedLink): Promise<FileResult[]> {
  const source = await openSource(program, requested)
  try {
    return await saveSource(program, requested, source)
  } finally {
    source.close()
  }
}

/**
 * Saves the files of a source.
 * @throws Failure, ApiError, the signal's reason
 */
export async function saveSource(
  program: Program,
  { args, settings }: SaveRequest,
  source: DownloadSource,
): Promise<FileResult[]> {
  const { files, keys, upload } = source
  const failed = [...source.failed]
  reportFailed(program, failed)
  const planned = await planFiles(program, args, source)
  const maySaveHidden = hiddenPolicy(program, args.hidden === true)
  const allowed =
    planned === 'output' ? planned : await withoutHidden(program, planned, maySaveHidden, failed)
  if (allowed !== 'output') await requireSpace(allowed)
  program.interrupted.throwIfAborted()
  const progress = createProgress(program, {
    total: upload.stream ? undefined : files.reduce((sum, { fileSize }) => sum + fileSize, 0),
    quiet: args.quiet === true || args.json === true,
  })
  const { client, direct, access, isRepeatable, checksumOf, contentOf } = source
  const download: DownloadContext = {
    client,
    direct,
    upload,
    access,
    isRepeatable,
    checksumOf,
    contentOf,
    rateLimit: settings.rateLimit,
    jobs: settings.jobs,
    ...createTransferContext(program, progress, { retries: settings.retries, next: 'resuming' }),
  }
  try {
    if (allowed === 'output') return [...failed, ...(await toOutput(program, { download, keys }, files))]
    const to = { program, args, download, keys, progress, settings, maySaveHidden }
    return [...failed, ...(await toFiles(to, allowed))]
  } finally {
    progress.end()
  }
}

async function toOutput(
  program: Program,
  { download, keys }: Pick<ToFiles, 'download' | 'keys'>,
  [file]: readonly File[],
): Promise<FileResult[]> {
  if (file === undefined) return []
  const { signal, checksumOf } = download
  const result = { name: file.fileName, file, status: 'downloaded' as const }
  if (keys === undefined) {
    await fetchBytes(
      download,
      file,
      passThroughSink((chunk) => writeOut(program.output, chunk), checksumOf(file)?.algorithm),
    )
    return [result]
  }
  const { decryptedOutput } = await import('./decrypted-output.ts')
  const decryption = { keys: keys.current(), engine: keys.engine, signal }
  const { upload, contentOf } = download
  const sink = decryptedOutput(program.output, decryption, { upload, expected: contentOf?.(file) })
  try {
    // Authentication proves more than a checksum.
    await fetchBytes({ ...download, checksumOf: () => undefined }, file, sink)
    await sink.finish()
  } finally {
    await sink.close()
  }
  return [{ ...result, decrypted: true }]
}

interface ToFiles extends SaveRequest {
  readonly program: Program
  readonly download: DownloadContext
  readonly keys: KeyRing | undefined
  readonly progress: Progress
  readonly maySaveHidden: HiddenPolicy
}

/**
 * The files that are saved, without hidden ones unless they are allowed.
 * @param failed gets the results of the others
 */
async function withoutHidden(
  program: Program,
  planned: readonly PlannedFile[],
  maySaveHidden: HiddenPolicy,
  failed: FileResult[],
): Promise<readonly PlannedFile[]> {
  const hidden = planned.filter((plannedFile) => plannedFile.isHidden)
  const names = hidden.map(({ file }) => file.fileName)
  if (await maySaveHidden(names)) return planned
  const error = hiddenFailure(names)
  program.printToStderr(error.message)
  failed.push(...hidden.map(({ file }) => ({ name: file.fileName, file, status: 'failed' as const, error })))
  return planned.filter((plannedFile) => !plannedFile.isHidden)
}

async function toFiles(to: ToFiles, planned: readonly PlannedFile[]): Promise<FileResult[]> {
  const { program, args, download, keys, progress, settings, maySaveHidden } = to
  const results: FileResult[] = []
  const makeFolders = createFolderMaker()
  const save = async (plannedFile: PlannedFile) => {
    const { file, base, path } = plannedFile
    const name = file.fileName
    const existing = args.yes === true ? 'replace' : 'keep'
    let part: PartialFile | undefined
    const onPart = (kept: PartialFile) => (part = kept)
    try {
      const status = await saveFile(
        { ...download, program, existing, makeFolders, keys, onPart },
        plannedFile,
      )
      const saved = await withKnownSize(download, file, path)
      progress.report(
        `${status === 'present' ? 'is already here' : 'got'}: ${printable(shownPath(base, path))}`,
      )
      const { platform } = program
      const { signal } = download
      const extractionOptions = { platform, base, existing, signal, progress, maySaveHidden } as const
      const extracted =
        args.extract === true ? await extractSaved(extractionOptions, path, status) : undefined
      const decrypted = keys !== undefined
      const checksum = decrypted
        ? decryptedChecksum(download, file)
        : file.md5 === ''
          ? download.checksumOf(file)
          : undefined
      results.push({ name, file: saved, path, status, decrypted, checksum, ...(extracted && { extracted }) })
      if (args.json !== true) for (const savedPath of extracted ?? [path]) program.print(printable(savedPath))
    } catch (error) {
      results.push({ name, file, path, status: 'failed', error })
      const { aborted } = download.signal
      if (!aborted) progress.warn(`${printable(name)}: ${printable(errorMessage(error))}`)
      await reportPartialFile(to, plannedFile, part)
      download.signal.throwIfAborted()
    }
  }
  // Scrypt for a passphrase needs 256 MiB for each file, and a stream has no size.
  const isPlain = keys === undefined && !download.upload.stream
  const { small = [], other = [] } = Object.groupBy(planned, ({ file }) =>
    isPlain && isSmall(file.fileSize) ? 'small' : 'other',
  )
  await inParallel(small, settings.smallConcurrency, save)
  await inParallel(other, settings.concurrency, save)
  return results
}

/** The path below the folder of the upload: files of several folders can have one name. */
const shownPath = (base: string, path: string): string => {
  const below = relative(base, path)
  return below === '' || below.startsWith('..') ? basename(path) : below
}

/** A file whose size was unknown has that of its bytes. */
const withKnownSize = async (
  { upload, isRepeatable }: DownloadContext,
  file: File,
  path: string,
): Promise<File> => (upload.stream && isRepeatable ? { ...file, fileSize: (await sizeOf(path)) ?? 0 } : file)

/** Advice for a download that failed. */
async function reportPartialFile(
  { download, progress }: ToFiles,
  { canContinue }: PlannedFile,
  part: PartialFile | undefined,
): Promise<void> {
  const kept = part && (await sizeOf(part.path))
  if (part === undefined || kept === undefined) return
  const canResume = isResumable(download.upload) && (canContinue || part.content === 'decrypted')
  const next = canResume ? 'run the command again to resume' : 'it cannot be resumed'
  const kind =
    part.content === 'plain' ? '' : `, ${part.content === 'encrypted' ? 'still encrypted' : 'decrypted'}`
  progress.warn(`${printable(part.path)} contains the first ${roughSize(kept)}${kind}; ${next}`)
}

/** The exit status of the command. */
export function statusFor(results: readonly FileResult[]): number {
  const bad = results.filter(({ status }) => status === 'failed')
  if (bad.length === 0) return exitCodes.done
  // Scripts must be able to distinguish a changed upload from an incomplete download.
  if (bad.some(({ error }) => error instanceof ManifestFailure)) return exitCodes.locked
  return bad.length < results.length ? exitCodes.partly : exitStatus(bad[0]?.error)
}
