import { isAlias, isIncompleteFile, isManifest, type File, type Upload } from '@svc/contract'
import {
  compareWithManifest,
  maxManifestBytes,
  decryptManifest,
  type Manifest,
  type ManifestFile,
  type DecryptedManifest,
} from '@svc/encryption'
import { ApiError, withRetries, type Access, type Client, type RetryPolicy } from '@svc/sdk'
import { printable } from '@svc/terminal'
import { withKeys, type KeyRing } from '../encryption/key-ring.ts'
import { isEncryptionError } from '../errors/encryption-errors.ts'
import { Failure } from '../errors/failure.ts'
import { ManifestFailure } from '../errors/manifest-failure.ts'
import { withNetworkErrors } from '../http/network-errors.ts'
import { bodyOf } from '../http/response-body.ts'
import type { UploadLink } from '../links/parse-link.ts'
import type { Program } from '../program/program.ts'
import type { FileResult } from './result.ts'
import { isUsedUp, usedUpIn } from './select-files.ts'

export interface VerifyContext {
  readonly client: Pick<Client, 'download'>
  readonly upload: Upload
  readonly access: Access
  readonly link: UploadLink
  readonly keys: KeyRing
  readonly retryPolicy: RetryPolicy
  readonly signal: AbortSignal
  /** Whether the command line asks for a file that was sent under this name. */
  readonly isSelected: (file: Pick<ManifestFile, 'id' | 'name'>) => boolean
  readonly quiet: boolean
  /** The selected files, as the server lists them. */
  readonly files: readonly File[]
  /** Those that are not there, which are reported already. */
  readonly unavailable: readonly File[]
}

/** The selected files after their comparison with the manifest. */
export interface Verified {
  /** Those that were sent with their names. */
  readonly files: readonly File[]
  /** Their contents by the ids of the files; undefined without a manifest. */
  readonly contents?: ReadonlyMap<string, ManifestFile>
  /** Those that were not sent so, and those that the server does not have. */
  readonly refused: readonly FileResult[]
}

/**
 * Compares the selected files of an encrypted upload with what its sender sent.
 * @throws Failure when the manifest is withheld, forged or not there yet; ApiError, EncryptionError
 */
export async function verifyManifest(program: Program, context: VerifyContext): Promise<Verified> {
  const { upload, link, quiet, files } = context
  const manifests = upload.files.filter((file) => isManifest(upload, file))
  const file = manifests.find(({ status }) => status === 'uploaded')
  const note = (text: string) => {
    if (!quiet) program.printToStderr(text)
  }
  if (file === undefined) {
    if (isUsedUp(upload)) return { files, refused: [] }
    if (link.manifest !== undefined && manifests.some(isIncompleteFile))
      throw new Failure(
        'the upload is not finished: its manifest, which lists the files, has not arrived yet; try again later',
      )
    if (link.manifest !== undefined)
      throw new ManifestFailure(
        'the link says that the upload has a manifest, and the server does not have it: someone may have changed the files',
      )
    if (files.length > 1) note('the upload has no manifest: the names of the files are not verified')
    return { files, refused: [] }
  }
  const bytes = await downloadWithRetries(context, file)
  const { manifest, isProven } = await decryptUploadManifest(context, bytes)
  if (!isProven)
    note('the link has no mark of the manifest (manifest=…): nothing shows that the sender wrote it')
  return compareFiles(manifest, context)
}

async function downloadWithRetries(context: VerifyContext, file: File): Promise<Uint8Array> {
  if (file.fileSize > maxManifestBytes) throw new ManifestFailure('the manifest is too large')
  try {
    return await withRetries(context.retryPolicy, () => downloadManifest(context, file))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      throw new ManifestFailure(
        `the server lists the manifest of the upload, and does not deliver it (${error.message}): someone may have changed the files`,
        error,
      )
    throw error
  }
}

async function downloadManifest(
  { client, upload, access, signal }: VerifyContext,
  file: File,
): Promise<Uint8Array> {
  const { batches, destroy } = bodyOf(await client.download(upload, file, { ...access, signal }))
  try {
    const pieces: Uint8Array[] = []
    let length = 0
    const paced = batches(() => Promise.resolve())
    for await (const batch of withNetworkErrors(paced, signal))
      for (const piece of batch) {
        length += piece.length
        if (length > file.fileSize) throw new ManifestFailure('the manifest is longer than the server said')
        pieces.push(Uint8Array.from(piece))
      }
    if (length < file.fileSize) throw new ApiError(0, 'network', 'the connection was cut')
    return Buffer.concat(pieces)
  } finally {
    destroy()
  }
}

function decryptUploadManifest({ link, keys }: VerifyContext, bytes: Uint8Array): Promise<DecryptedManifest> {
  const { uploadID, manifest: mark } = link
  // Only the server knows the upload of an alias.
  const upload = isAlias(uploadID.toLowerCase()) ? undefined : uploadID
  return withKeys(keys, (tried) =>
    decryptManifest(bytes, { keys: tried, engine: keys.engine, mark, upload }),
  ).catch((error: unknown) => {
    if (isEncryptionError(error) && error.code === 'bad_manifest')
      throw new ManifestFailure(`${error.message}: someone may have changed the files`, error)
    throw error
  })
}

/** The missing files whose downloads are used up are not a sign of a change: the server removes them. */
function compareFiles(
  manifest: Manifest,
  { upload, files, unavailable, isSelected }: VerifyContext,
): Verified {
  const listed = files.map((file) => ({ id: file.id, name: file.fileName, file }))
  const { expected, renamed, added, missing } = compareWithManifest(manifest, listed)
  const usedUp = usedUpIn(upload)
  const reported = new Set(unavailable.map(({ id }) => id))
  const failed = (name: string, file: File | undefined, error: Failure): FileResult => ({
    name,
    ...(file && { file }),
    status: 'failed',
    error,
  })
  const refusal = (name: string, file: File | undefined, why: string): FileResult =>
    failed(name, file, new ManifestFailure(why))
  return {
    files: [...expected.keys()].map(({ file }) => file),
    contents: new Map([...expected.values()].map((content) => [content.id, content])),
    refused: [
      ...[...renamed].map(([{ file }, { name }]) =>
        refusal(file.fileName, file, `it was sent as ${printable(name)}: someone may have swapped files`),
      ),
      ...added.map(({ file }) =>
        refusal(file.fileName, file, 'it is not in the manifest: someone else may have added it'),
      ),
      ...missing
        .filter((file) => isSelected(file) && !(usedUp.has(file.id) && reported.has(file.id)))
        .map(({ id, name }) =>
          usedUp.has(id)
            ? failed(name, undefined, new Failure('its downloads are used up'))
            : refusal(
                name,
                undefined,
                'it was sent, and the server does not have it: it was removed, or is withheld',
              ),
        ),
    ],
  }
}
