import { ageScheme, isGoneFile, type Upload } from '@svc/contract'
import { isResumable } from '@svc/sdk'
import { printable } from '@svc/terminal'
import type { GetArgs } from '../arguments/get-args.ts'
import { parseTransferOptions } from '../arguments/option-values.ts'
import type { KeySource } from '../encryption/key-source.ts'
import type { KeyRing } from '../encryption/key-ring.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import { ManifestFailure } from '../errors/manifest-failure.ts'
import { downloadID } from '../files/local-file.ts'
import { connect } from '../http/connect.ts'
import { loadUpload, openLink } from '../links/open-link.ts'
import type { UploadLink } from '../links/parse-link.ts'
import type { Program } from '../program/program.ts'
import { createProgress } from '../output/progress.ts'
import { createTransferContext } from '../transfer/transfer-context.ts'
import type { FileResult } from './result.ts'
import { isUsedUp, selectedBy, selectFiles, type SelectedFiles } from './select-files.ts'
import type { DownloadSource } from './source.ts'
import type { Verified, VerifyContext } from './verify-manifest.ts'

/** A link of a command line with what is requested of it. */
export interface Requested {
  readonly args: GetArgs
  readonly patterns: readonly string[]
  readonly keySource: KeySource
}

/**
 * The files of an upload.
 * @throws Failure, ApiError
 */
export async function openUpload(
  program: Program,
  requested: Requested,
  input: string,
): Promise<DownloadSource> {
  const { args, patterns } = requested
  const opened = await openLink(program, args, input)
  const { upload, access } = await loadUpload(program, opened)
  const { link, base, target, client } = opened
  const selected = selectFiles(upload, link, patterns)
  const failed = failedOf(upload, selected, link)
  const keys = await keysFor(program, requested, upload, link)
  const { files, contents, refused } =
    keys === undefined
      ? { files: selected.files, refused: [] }
      : await verifyLinkedManifest(program, args, {
          client,
          upload,
          access,
          link,
          keys,
          isSelected: selectedBy(link, patterns),
          files: selected.files,
          unavailable: selected.unavailable,
        })
  return {
    client,
    direct: connect(program, target, base, { direct: true }),
    upload,
    access,
    files,
    isRepeatable: isResumable(upload),
    failed: [...failed, ...refused],
    keys,
    contentOf: ({ id }) => contents?.get(id),
    identify: ({ id: fileID, md5 }) => ({
      id: downloadID({ server: base, uploadID: link.uploadID, fileID }),
      canContinue: md5 !== '',
    }),
    checksumOf: ({ md5 }) => (args.verify && md5 !== '' ? { algorithm: 'md5', value: md5 } : undefined),
    close: () => undefined,
  }
}

/** Loads the encryption only when needed. */
async function verifyLinkedManifest(
  program: Program,
  args: GetArgs,
  what: Omit<VerifyContext, 'retryPolicy' | 'signal' | 'quiet'>,
): Promise<Verified> {
  const { verifyManifest } = await import('./verify-manifest.ts')
  const quiet = args.quiet === true || args.json === true
  const progress = createProgress(program, { total: undefined, quiet })
  try {
    const { retries } = parseTransferOptions(args)
    const context = createTransferContext(program, progress, { retries, next: 'trying again' })
    return await verifyManifest(program, { ...what, ...context, quiet })
  } finally {
    progress.end()
  }
}

function failedOf(
  upload: Upload,
  { files, unavailable, unmatched }: SelectedFiles,
  { manifest }: Pick<UploadLink, 'manifest'>,
): readonly FileResult[] {
  const unavailableResults = unavailable.map((file) => ({
    name: file.fileName,
    file,
    status: 'failed' as const,
    error: new Failure(isGoneFile(file) ? 'it was removed' : 'it is not there yet'),
  }))
  const unmatchedResults = unmatched.map((name) => ({
    name,
    status: 'failed' as const,
    error: new Failure('the upload has no such file'),
  }))
  const failed: FileResult[] = [...unavailableResults, ...unmatchedResults]
  if (files.length === 0 && failed.length === 0) {
    if (isUsedUp(upload)) throw new Failure('all downloads of the files are used up')
    throw manifest === undefined
      ? new Failure('the upload has no files')
      : new ManifestFailure('the server shows no files, but the link says that the upload has a manifest')
  }
  return failed
}

/**
 * The keys of an upload; undefined when files stay encrypted.
 * @throws Failure when the link or the command line has a key and the server states no encryption that needs it: the sender
 * encrypted the files
 */
async function keysFor(
  program: Program,
  { args, keySource }: Requested,
  { e2ee }: Upload,
  { key, manifest }: Pick<UploadLink, 'key' | 'manifest'>,
): Promise<KeyRing | undefined> {
  if (!args.decrypt) {
    const isQuiet = args.quiet === true || args.json === true
    if (manifest !== undefined && !isQuiet)
      program.printToStderr('the files stay encrypted: they are not compared with the manifest of the link')
    return undefined
  }
  if (e2ee === ageScheme) return keySource.keysFor(key)
  const expected = expectedKey(keySource, key)
  if (expected !== undefined) throw replacedFailure(e2ee, expected)
  if (e2ee !== '') program.printToStderr(`unknown encryption (${printable(e2ee)}): the file stays encrypted`)
  return undefined
}

/** Why a file must be encrypted; undefined if it need not be. */
export const expectedKey = ({ option }: KeySource, key: string | undefined): string | undefined =>
  key === undefined ? option && `you gave ${option}` : 'the link has a key'

function replacedFailure(e2ee: string, expected: string): Failure {
  const words =
    e2ee === ''
      ? `the server says that this file is not encrypted, but ${expected}: someone may have replaced it`
      : `unknown encryption (${e2ee}), but ${expected}: someone may have replaced the file`
  return new Failure(words, exitCodes.locked)
}
