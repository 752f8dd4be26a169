import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ageScheme, isIncompleteFile, type File, type Upload } from '@svc/contract'
import { isResumable, type Client } from '@svc/sdk'
import { printable, printableJson } from '@svc/terminal'
import { transferOptions } from '../arguments/values.ts'
import { saveSource, statusFor } from '../download/get-link.ts'
import { createDecryptor, type Decryptor } from '../encryption/decryptor.ts'
import type { KeyRing } from '../encryption/key-ring.ts'
import { errorMessage } from '../errors/error-message.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import { downloadID } from '../files/local-file.ts'
import { pathsWithIDs, safeFolder, safePath } from '../files/safe-path.ts'
import { allPages } from '../http/all-pages.ts'
import { connect } from '../http/connect.ts'
import type { Program } from '../program/program.ts'
import { resultValue, type Result } from '../sources/result.ts'
import type { DownloadSource } from '../sources/source.ts'
import { createRateLimit } from '../transfer/rate-limit.ts'
import { openRequestLink, type OpenedRequest } from './open-request.ts'
import { identityPath, saveIdentityFile } from './own-requests.ts'
import type { GivenRequest } from './request-arguments.ts'

/** Milliseconds between two looks at the list. */
const watchMs = 5_000

/** A request whose files are fetched. */
interface Getting {
  readonly program: Program
  readonly given: GivenRequest
  readonly opened: OpenedRequest
  readonly decryptor: Decryptor
  readonly folder: string
}

/**
 * Fetches what a request has received, verified and decrypted, each upload into a folder. What is already there stays.
 * @throws Failure, ApiError
 */
export async function getReceived(program: Program, given: GivenRequest, what: string): Promise<void> {
  const opened = await openRequestLink(program, given, what)
  const folder = resolve(program.directory, given.output ?? '.')
  const identity = given.identity ?? (await ownIdentity(program, opened))
  const decryptor = createDecryptor(program, { identities: identity === undefined ? [] : [identity] })
  const getting = { program, given, opened, decryptor, folder }
  try {
    if (given.watch === true) await watch(getting)
    else {
      const results = await getAll(getting)
      if (given.json === true) program.print(printableJson(results.map(resultValue)))
      else if (results.length === 0 && given.quiet !== true) program.printToStderr('nothing new has come')
      program.fail(statusFor(results))
    }
  } finally {
    await decryptor.close()
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

/** Fetches what comes until an interrupt. A server that does not respond is asked again. */
async function watch(getting: Getting): Promise<void> {
  const { program, given, folder } = getting
  if (given.quiet !== true)
    program.printToStderr(`waiting for files, into ${printable(folder)}; Ctrl-C ends it`)
  for (;;) {
    try {
      await getAll(getting)
    } catch (error) {
      program.interrupted.throwIfAborted()
      if (error instanceof Failure) throw error
      program.printToStderr(printable(errorMessage(error)))
    }
    await program.clock.sleep(watchMs, program.interrupted)
  }
}

async function getAll(getting: Getting): Promise<Result[]> {
  const { opened, program } = getting
  const { client, link, access } = opened
  const uploads = await received(client, opened)
  const results: Result[] = []
  for (const upload of uploads) {
    program.interrupted.throwIfAborted()
    results.push(...(await getUpload(getting, upload)))
  }
  // Otherwise, the list of requests would no longer show that something is still to be fetched.
  if (results.every(({ status }) => status !== 'failed') && !uploads.some(isUnfinished))
    await client.updateUploadRequest(link.requestID, { seen: true }, access).catch(() => undefined)
  return results
}

/** All uploads, the oldest first. */
const received = (client: Client, { link, access }: OpenedRequest): Promise<readonly Upload[]> =>
  allPages((next) => client.receivedUploads(link.requestID, { limit: 100, order: 'asc', ...next }, access))

/** A file with its name, decrypted. */
interface Named {
  readonly file: File
  readonly name: string
}

/** A file with its path below the folder of its upload. */
interface Placed extends Named {
  readonly path: string
}

const isUnfinished = ({ files }: Upload): boolean => files.some(isIncompleteFile)

const isStored = ({ status }: File): boolean => status === 'uploaded'

async function getUpload(getting: Getting, upload: Upload): Promise<Result[]> {
  const { program, given } = getting
  const keys = given.encrypt === false ? undefined : await keysFor(getting, upload)
  const folder = join(getting.folder, folderOf(program, upload))
  const { named, failed } = await namesOf(program, upload, keys)
  const missing: Placed[] = []
  for (const one of placed(program, named))
    if (isStored(one.file) && (given.yes === true || !(await isThere(join(folder, one.path)))))
      missing.push(one)
  if (missing.length === 0) return failed
  const results = await saveSource(
    program,
    requestedGet(program, given, folder),
    sourceOf(getting, upload, missing, keys),
  )
  return [...failed, ...results]
}

async function namesOf(program: Program, { files }: Upload, keys: KeyRing | undefined) {
  const named: Named[] = []
  const failed: Result[] = []
  for (const file of files) {
    try {
      named.push({ file, name: keys === undefined ? file.fileName : await nameOf(file, keys) })
    } catch (error) {
      if (!isStored(file)) continue
      const cause = new Failure(
        `the name of a file cannot be decrypted: ${errorMessage(error)}`,
        exitCodes.locked,
      )
      program.printToStderr(printable(cause.message))
      failed.push({ name: file.fileName, file, status: 'failed', error: cause })
    }
  }
  return { named, failed }
}

/**
 * Assigns a path to each file of an upload, also to those that are removed or have not arrived: a file that was never fetched
 * must not count as there because another one has had its name. The order of the files on the server may change.
 */
function placed({ platform }: Program, named: readonly Named[]): readonly Placed[] {
  const paths = pathsWithIDs(
    named.map(({ file, name }) => ({ id: file.id, segments: safePath(name, platform) })),
  )
  return named.map((one, index) => ({ ...one, path: paths[index] ?? one.file.id }))
}

/**
 * The keys of an upload; undefined if it is not encrypted.
 * @throws Failure when this computer asked for encrypted files and the server has others
 */
async function keysFor({ opened, decryptor }: Getting, { e2ee }: Upload): Promise<KeyRing | undefined> {
  if (e2ee === ageScheme) return decryptor.keysFor(undefined)
  if (opened.own?.recipient === undefined) return undefined
  throw new Failure(
    'the server says that an upload is not encrypted, but this request asked for encrypted files: someone may have replaced them',
    exitCodes.locked,
  )
}

/** Senders encrypt the names of files, too; a name that is not encrypted has been replaced. */
async function nameOf({ fileName }: File, keys: KeyRing): Promise<string> {
  const { openName } = await import('@svc/encryption')
  return openName(fileName, keys.current(), keys.engine)
}

/** `Ada 0Ab…`: distinct for each upload, and the same in each run. */
const folderOf = ({ platform }: Program, { id, sender }: Upload): string => safeFolder(sender, id, platform)

/** A file has its name only once it is complete and verified. */
const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() === true

function sourceOf(
  { program, opened }: Getting,
  upload: Upload,
  files: readonly Placed[],
  keys: KeyRing | undefined,
): DownloadSource {
  const { client, target, base, access } = opened
  const names = new Map(files.map(({ file }) => [file.id, file.fileName]))
  const withNames = (of: Pick<Client, 'download'>): Pick<Client, 'download'> => ({
    // The server knows a file by its encrypted name.
    download: (at, file, options) =>
      of.download(at, { ...file, fileName: names.get(file.id) ?? file.fileName }, options),
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
function requestedGet(program: Program, given: GivenRequest, folder: string) {
  const { rate, ...options } = transferOptions(given)
  const settings = { ...options, rateLimit: createRateLimit(program.clock, rate), jobs: 1 }
  const { yes, hidden, quiet, json } = given
  return { given: { output: `${folder}/`, yes, hidden, quiet, json }, settings }
}
