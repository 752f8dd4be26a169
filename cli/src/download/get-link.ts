import { basename } from 'node:path'
import { ageScheme, type Upload } from '@svc/contract'
import { isResumable } from '@svc/sdk'
import { hiddenFailure, hiddenPolicy, type HiddenPolicy } from '../files/hidden-files.ts'
import { printable, roughSize } from '@svc/terminal'
import type { GivenGet } from '../arguments/get.ts'
import type { TransferOptions } from '../arguments/values.ts'
import type { Decryptor } from '../encryption/decryptor.ts'
import type { KeyRing } from '../encryption/key-ring.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { extractSaved } from './extract-saved.ts'
import { Failure } from '../errors/failure.ts'
import { loadUpload, openLink } from '../links/open-link.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import { connect } from '../http/connect.ts'
import { inParallel } from '../transfer/in-parallel.ts'
import { createTransferContext } from '../transfer/transfer-context.ts'
import { exitStatus } from '../errors/exit-status.ts'
import { selectFiles, type SelectedFiles } from './select-files.ts'
import { fetchBytes, type DownloadContext, type PartialFile } from './fetch-bytes.ts'
import { sizeOf } from '../files/local-file.ts'
import { planFiles, requireSpace, type PlannedFile } from './plan-files.ts'
import type { Result } from './result.ts'
import { saveFile } from './save-file.ts'
import { passThroughSink, writeOut } from '../files/sink.ts'

/** A link of a command line with its options. */
interface RequestedLink {
  readonly given: GivenGet
  readonly settings: Omit<TransferOptions, 'rate'> &
    Pick<DownloadContext, 'rateLimit'> & { readonly patterns: readonly string[] }
  readonly decryptor: Decryptor
  readonly link: string
}

/** Continues with the next link after a failure, but not after an interrupt. */
export async function getLink(program: Program, requested: RequestedLink): Promise<Result[]> {
  try {
    return await getUpload(program, requested)
  } catch (error) {
    program.interrupted.throwIfAborted()
    if (requested.given._.length === 1) throw error
    program.printToStderr(`${printable(requested.link)}: ${printable(errorMessage(error))}`)
    return [{ name: requested.link, status: 'failed', error }]
  }
}

async function getUpload(program: Program, requested: RequestedLink): Promise<Result[]> {
  const { given, settings } = requested
  const opened = await openLink(program, given, requested.link)
  const { upload, access } = await loadUpload(program, opened)
  const chosen = selectFiles(upload, opened.link, settings.patterns)
  const failed = reportMissing(program, chosen)
  const keys = await keysFor(program, requested, upload, opened.link.key)
  const planned = await planFiles(program, given, {
    files: chosen.files,
    server: opened.base,
    uploadID: opened.link.uploadID,
  })
  const maySaveHidden = hiddenPolicy(program, given.hidden === true)
  const allowed =
    planned === 'output' ? planned : await withoutHidden(program, planned, maySaveHidden, failed)
  if (allowed !== 'output') await requireSpace(allowed)
  program.interrupted.throwIfAborted()
  const progress = createProgress(program, {
    total: upload.stream ? undefined : chosen.files.reduce((sum, { fileSize }) => sum + fileSize, 0),
    quiet: given.quiet === true || given.json === true,
  })
  const fetching: DownloadContext = {
    client: opened.client,
    direct: connect(program, opened.target, opened.base, { direct: true }),
    upload,
    access,
    rateLimit: settings.rateLimit,
    ...createTransferContext(program, progress, { retries: settings.retries, next: 'resuming' }),
    verify: given.verify,
  }
  try {
    if (allowed === 'output') return [...failed, ...(await toOutput(program, { fetching, keys }, chosen))]
    const to = { program, given, fetching, keys, progress, settings, maySaveHidden }
    return [...failed, ...(await toFiles(to, allowed))]
  } finally {
    progress.end()
  }
}

/**
 * The decryptor of an upload; undefined when files stay encrypted.
 * @throws Failure when the link or the command line has a key and the server states no encryption that needs it: the sender
 * encrypted the files
 */
async function keysFor(
  program: Program,
  { given, decryptor }: RequestedLink,
  { e2ee }: Upload,
  key: string | undefined,
): Promise<KeyRing | undefined> {
  if (!given.decrypt) return undefined
  if (e2ee === ageScheme) return decryptor.keysFor(key)
  const expected =
    key === undefined ? decryptor.option && `you gave ${decryptor.option}` : 'the link has a key'
  if (expected !== undefined) throw replacedFailure(e2ee, expected)
  if (e2ee !== '') program.printToStderr(`unknown encryption (${printable(e2ee)}): the file stays encrypted`)
  return undefined
}

function replacedFailure(e2ee: string, expected: string): Failure {
  const words =
    e2ee === ''
      ? `the server says that this file is not encrypted, but ${expected}: someone may have replaced it`
      : `unknown encryption (${e2ee}), but ${expected}: someone may have replaced the file`
  return new Failure(words, exitCodes.locked)
}

function reportMissing(program: Program, { files, unavailable, unmatched }: SelectedFiles): Result[] {
  const unavailableResults = unavailable.map((file) => ({
    name: file.fileName,
    file,
    status: 'failed' as const,
    error: new Failure(
      file.status === 'removed' || file.status === 'deleted' ? 'it was removed' : 'it is not there yet',
    ),
  }))
  const unmatchedResults = unmatched.map((name) => ({
    name,
    status: 'failed' as const,
    error: new Failure('the upload has no such file'),
  }))
  const failed: Result[] = [...unavailableResults, ...unmatchedResults]
  if (files.length === 0 && failed.length === 0) throw new Failure('the upload has no files')
  for (const { name, error } of failed) program.printToStderr(`${printable(name)}: ${errorMessage(error)}`)
  return failed
}

async function toOutput(
  program: Program,
  { fetching, keys }: Pick<ToFiles, 'fetching' | 'keys'>,
  { files }: SelectedFiles,
): Promise<Result[]> {
  const [file] = files
  if (file === undefined) return []
  const { signal, verify } = fetching
  const result = { name: file.fileName, file, status: 'downloaded' as const }
  if (keys === undefined) {
    await fetchBytes(
      fetching,
      file,
      passThroughSink((chunk) => writeOut(program.output, chunk), verify),
    )
    return [result]
  }
  const { decryptedOutput } = await import('./decrypted-output.ts')
  const opening = { keys: keys.current(), engine: keys.engine, signal }
  const sink = decryptedOutput(program.output, opening)
  try {
    // Authentication proves more than a checksum.
    await fetchBytes({ ...fetching, verify: false }, file, sink)
    await sink.finish()
  } finally {
    await sink.close()
  }
  return [{ ...result, decrypted: true }]
}

interface ToFiles extends Pick<RequestedLink, 'given' | 'settings'> {
  readonly program: Program
  readonly fetching: DownloadContext
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
  failed: Result[],
): Promise<readonly PlannedFile[]> {
  const hidden = planned.filter((one) => one.isHidden)
  const names = hidden.map(({ file }) => file.fileName)
  if (await maySaveHidden(names)) return planned
  const error = hiddenFailure(names)
  program.printToStderr(error.message)
  failed.push(...hidden.map(({ file }) => ({ name: file.fileName, file, status: 'failed' as const, error })))
  return planned.filter((one) => !one.isHidden)
}

async function toFiles(to: ToFiles, planned: readonly PlannedFile[]): Promise<Result[]> {
  const { program, given, fetching, keys, progress, settings, maySaveHidden } = to
  const results: Result[] = []
  await inParallel(planned, settings.concurrency, async (plannedFile) => {
    const { file, base, path } = plannedFile
    const name = file.fileName
    const existing = given.yes === true ? 'replace' : 'keep'
    let part: PartialFile | undefined
    const onPart = (kept: PartialFile) => (part = kept)
    try {
      const status = await saveFile({ ...fetching, program, existing, keys, onPart }, plannedFile)
      progress.report(`${status === 'present' ? 'is already here' : 'got'}: ${printable(basename(path))}`)
      const { platform } = program
      const { signal } = fetching
      const unpacking = { platform, base, existing, signal, progress, maySaveHidden } as const
      const extracted = given.extract === true ? await extractSaved(unpacking, path, status) : undefined
      const decrypted = keys !== undefined
      results.push({ name, file, path, status, decrypted, ...(extracted && { extracted }) })
      if (given.json !== true) for (const one of extracted ?? [path]) program.print(printable(one))
    } catch (error) {
      results.push({ name, file, path, status: 'failed', error })
      const { aborted } = fetching.signal
      if (!aborted) progress.warn(`${printable(name)}: ${printable(errorMessage(error))}`)
      await reportPartialFile(to, part)
      fetching.signal.throwIfAborted()
    }
  })
  return results
}

/** Advice for a download that failed. */
async function reportPartialFile(
  { fetching, progress }: ToFiles,
  part: PartialFile | undefined,
): Promise<void> {
  const kept = part && (await sizeOf(part.path))
  if (part === undefined || kept === undefined) return
  const next = isResumable(fetching.upload) ? 'run the command again to resume' : 'it cannot be resumed'
  const kind =
    part.content === 'plain' ? '' : `, ${part.content === 'encrypted' ? 'still encrypted' : 'decrypted'}`
  progress.warn(`${printable(part.path)} contains the first ${roughSize(kept)}${kind}; ${next}`)
}

/** The exit status of the command. */
export function statusFor(results: readonly Result[]): number {
  const bad = results.filter(({ status }) => status === 'failed')
  if (bad.length === 0) return exitCodes.done
  return bad.length < results.length ? exitCodes.partly : exitStatus(bad[0]?.error)
}
