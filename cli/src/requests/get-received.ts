import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ageScheme, type Upload } from '@svc/contract'
import { isResumable, type Client } from '@svc/sdk'
import { printable, printableJson } from '@svc/terminal'
import { parseTransferOptions } from '../arguments/option-values.ts'
import { saveSource, statusFor } from '../download/get-link.ts'
import { createKeySource, type KeySource } from '../encryption/key-source.ts'
import type { KeyRing } from '../encryption/key-ring.ts'
import { isEncryptionError, isForOtherKey } from '../errors/encryption-errors.ts'
import { errorMessage } from '../errors/error-message.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import { ManifestFailure } from '../errors/manifest-failure.ts'
import { downloadID } from '../files/local-file.ts'
import { safeFolder } from '../files/safe-path.ts'
import { allPages } from '../http/all-pages.ts'
import { connect } from '../http/connect.ts'
import type { Program } from '../program/program.ts'
import { resultValue, type FileResult } from '../sources/result.ts'
import type { DownloadSource } from '../sources/source.ts'
import { createRateLimit } from '../transfer/rate-limit.ts'
import { openRequestLink, type OpenedRequest } from './open-request.ts'
import { identityPath, saveIdentityFile } from '../state/own-requests.ts'
import { isStored, isUnfinished, placedFiles, type PlacedFile } from './received-files.ts'
import type { RequestArgs } from './request-args.ts'

/** Milliseconds between two requests of the list. */
const watchMs = 5_000

/** A request whose files are fetched. */
interface ReceiveContext {
  readonly program: Program
  readonly args: RequestArgs
  readonly opened: OpenedRequest
  readonly keySource: KeySource
  readonly folder: string
  /** Ids of files and uploads that cannot be fetched. While svc watches, it does not try such files again. */
  readonly broken: Set<string>
}

/**
 * Fetches what a request has received, verified and decrypted, each upload into a folder. What is already there stays.
 * @throws Failure, ApiError
 */
export async function getReceived(program: Program, args: RequestArgs, what: string): Promise<void> {
  const opened = await openRequestLink(program, args, what)
  const folder = resolve(program.directory, args.output ?? '.')
  const identity = args.identity ?? (await ownIdentity(program, opened))
  const keySource = createKeySource(program, { identities: identity === undefined ? [] : [identity] })
  const context = { program, args, opened, keySource, folder, broken: new Set<string>() }
  try {
    if (args.watch === true) await watch(context)
    else {
      const results = await getAll(context)
      if (args.json === true) program.print(printableJson(results.map(resultValue)))
      else if (results.length === 0 && args.quiet !== true) program.printToStderr('no new files')
      program.fail(statusFor(results))
    }
  } finally {
    await keySource.close()
  }
}

/**
 * The file with the private key of a request: of the computer that made it, or the encrypted one that its account keeps on
 * the server. That one asks for its passphrase when it is read.
 */
async function ownIdentity(
  program: Program,
  { link: { requestID }, client, access }: OpenedRequest,
): Promise<string | undefined> {
  const path = identityPath(program, requestID)
  if ((await stat(path).catch(() => undefined)) !== undefined) return path
  const { wrappedIdentity } = await client.uploadRequest(requestID, access)
  return wrappedIdentity === undefined ? undefined : saveIdentityFile(program, requestID, wrappedIdentity)
}

/** Fetches new files until an interrupt. If the server does not respond, svc asks again. */
async function watch(context: ReceiveContext): Promise<void> {
  const { program, args, folder } = context
  if (args.quiet !== true)
    program.printToStderr(`waiting for files, into ${printable(folder)}; Ctrl-C ends it`)
  for (;;) {
    try {
      await getAll(context)
    } catch (error) {
      program.interrupted.throwIfAborted()
      if (error instanceof Failure) throw error
      program.printToStderr(printable(errorMessage(error)))
    }
    await program.clock.sleep(watchMs, program.interrupted)
  }
}

async function getAll(context: ReceiveContext): Promise<FileResult[]> {
  const { opened, program, broken } = context
  const { client, link, access } = opened
  const uploads = await received(client, opened)
  await requireKeys(context, uploads)
  const results: FileResult[] = []
  for (const upload of uploads) {
    program.interrupted.throwIfAborted()
    results.push(...(await getOrReport(context, upload)))
  }
  // Otherwise, the list of requests would no longer show that something is still to be fetched.
  const isComplete = broken.size === 0 && results.every(({ status }) => status !== 'failed')
  if (isComplete && !uploads.some(isUnfinished))
    await client.updateUploadRequest(link.requestID, { seen: true }, access).catch(() => undefined)
  return results
}

/** All uploads, the oldest first. */
const received = (client: Client, { link, access }: OpenedRequest): Promise<readonly Upload[]> =>
  allPages((next) => client.receivedUploads(link.requestID, { limit: 100, order: 'asc', ...next }, access))

/**
 * Reads the keys before the first upload: without them, all fail.
 * @throws Failure
 */
async function requireKeys(context: ReceiveContext, uploads: readonly Upload[]): Promise<void> {
  const { args, keySource } = context
  if (args.encrypt === false || !uploads.some(({ e2ee }) => e2ee === ageScheme)) return
  if (keySource.option === undefined)
    throw new Failure(`the files are encrypted: ${keyAdvice(context)}`, exitCodes.locked)
  await keySource.keysFor(undefined)
}

/** What to do without the key, which only the computer that made the request has. */
const keyAdvice = ({ program, opened: { link } }: Pick<ReceiveContext, 'program' | 'opened'>): string =>
  `use --identity FILE with the key of the request, on the computer that made it in ${printable(identityPath(program, link.requestID))}`

/** An upload that cannot be fetched does not prevent the others. */
async function getOrReport(context: ReceiveContext, upload: Upload): Promise<FileResult[]> {
  const { program, broken } = context
  try {
    return await getUpload(context, upload)
  } catch (error) {
    program.interrupted.throwIfAborted()
    if (!(error instanceof Failure)) throw error
    // While it watches, svc reports an upload once.
    if (!broken.has(upload.id)) program.printToStderr(`${labelOf(upload)}: ${printable(error.message)}`)
    broken.add(upload.id)
    return [{ name: upload.id, status: 'failed', error }]
  }
}

async function getUpload(context: ReceiveContext, upload: Upload): Promise<FileResult[]> {
  const { program, args, broken } = context
  const keys = args.encrypt === false ? undefined : await keysFor(context, upload)
  const folder = join(context.folder, folderOf(program, upload))
  const missing: PlacedFile[] = []
  for (const placed of await placedFiles(upload, keys, program.platform)) {
    if (!isStored(placed.file) || broken.has(placed.file.id)) continue
    if (args.yes === true || !(await isSaved(join(folder, placed.path)))) missing.push(placed)
  }
  const results =
    missing.length === 0
      ? []
      : await saveSource(
          program,
          requestedGet(program, args, folder),
          sourceOf(context, upload, missing, keys),
        )
  // An earlier attempt may have failed, for example because the disk was full.
  broken.delete(upload.id)
  reportNames(program, upload, missing, results)
  const failed = results.filter(({ status }) => status === 'failed')
  if (failed.length > 0)
    program.printToStderr(
      `${labelOf(upload)}: not saved: ${printable(failed.map(({ name }) => name).join(', '))}`,
    )
  if (failed.some(({ error }) => isForOtherKey(error)))
    program.printToStderr(`${labelOf(upload)}: no key fits; ${keyAdvice(context)}`)
  for (const { file, error } of failed) if (file !== undefined && isLasting(error)) broken.add(file.id)
  return results
}

/** Whether a file fails again: it cannot be decrypted, is hidden, or something else has its path. */
const isLasting = (error: unknown): boolean =>
  isEncryptionError(error) || (error instanceof Failure && error.status === exitCodes.local)

/** `upload 0Ab… of Ada` */
const labelOf = ({ id, sender }: Upload): string =>
  printable(`upload ${id}${sender === undefined || sender === '' ? '' : ` of ${sender}`}`)

/** Reports the files that are saved under their ids. */
function reportNames(
  program: Program,
  upload: Upload,
  files: readonly PlacedFile[],
  results: readonly FileResult[],
): void {
  const saved = new Set(results.flatMap(({ file, status }) => (status === 'failed' ? [] : [file?.id])))
  for (const { file, path, nameError } of files)
    if (nameError !== undefined && saved.has(file.id))
      program.printToStderr(
        `${labelOf(upload)}: the name of a file cannot be decrypted, it is saved as ${printable(path)}`,
      )
}

/**
 * The keys of an upload; undefined if it is not encrypted.
 * @throws Failure when this computer asked for encrypted files and the server has others
 */
async function keysFor(
  { opened, keySource }: ReceiveContext,
  { e2ee }: Upload,
): Promise<KeyRing | undefined> {
  if (e2ee === ageScheme) {
    const keys = await keySource.keysFor(undefined)
    // A sender who encrypts with a passphrase must not stop svc with a question.
    return { ...keys, more: () => Promise.resolve(undefined) }
  }
  if (opened.own?.recipient === undefined) return undefined
  throw new ManifestFailure(
    'the server says that an upload is not encrypted, but this request asked for encrypted files: someone may have replaced them',
  )
}

/** `Ada 0Ab…`: distinct for each upload, and the same in each run. */
const folderOf = ({ platform }: Program, { id, sender }: Upload): string => safeFolder(sender, id, platform)

/** A file has its name only once it is complete and verified. */
const isSaved = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() === true

function sourceOf(
  { program, opened }: ReceiveContext,
  upload: Upload,
  files: readonly PlacedFile[],
  keys: KeyRing | undefined,
): DownloadSource {
  const { client, target, base, access } = opened
  const names = new Map(files.map(({ file }) => [file.id, file.fileName]))
  const withNames = (client: Pick<Client, 'download'>): Pick<Client, 'download'> => ({
    // The server knows a file by its encrypted name.
    download: (at, file, options) =>
      client.download(at, { ...file, fileName: names.get(file.id) ?? file.fileName }, options),
  })
  return {
    client: withNames(client),
    direct: withNames(connect(program, target, base, { direct: true })),
    upload,
    access,
    files: files.map(({ file, name }) => ({ ...file, fileName: name })),
    paths: files.map(({ path }) => path),
    isRepeatable: isResumable(upload),
    failed: [],
    keys,
    identify: ({ id: fileID, md5 }) => ({
      id: downloadID({ server: base, uploadID: upload.id, fileID }),
      canContinue: md5 !== '',
    }),
    checksumOf: ({ md5 }) => (md5 === '' ? undefined : { algorithm: 'md5', value: md5 }),
    close: () => undefined,
  }
}

/** The options of `svc get` with which the files are saved. */
function requestedGet(program: Program, args: RequestArgs, folder: string) {
  const { rate, ...options } = parseTransferOptions(args)
  const settings = { ...options, rateLimit: createRateLimit(program.clock, rate), jobs: 1 }
  const { yes, hidden, quiet, json } = args
  return { args: { output: `${folder}/`, yes, hidden, quiet, json }, settings }
}
