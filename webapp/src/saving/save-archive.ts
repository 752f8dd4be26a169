import { archiveNames } from '@svc/contract'
import type { EncryptedFile } from '../encryption/encrypted-file.ts'
import type { SaveDecryptedOptions } from './save-decrypted.ts'
import { saveContent } from './save-content.ts'
import { openStored } from './save-stored.ts'
import {
  verifiedDownload,
  withProgress,
  startDecryptedDownload,
  type KeyPrompt,
  type StartedDownload,
} from './start-download.ts'
import { zipOf, type ZipFile } from './zip/zip.ts'

export interface ArchivedFiles extends Pick<EncryptedFile, 'upload' | 'access'> {
  readonly files: readonly EncryptedFile['file'][]
  /** Whether the page decrypts them. */
  readonly encrypted: boolean
  /** Name of the archive without `.zip`. */
  readonly name: string
  /** What the names of all files begin with, and their names in the archive do not. */
  readonly root?: string
  /** Creation time of the upload, used for every file. */
  readonly modified: Date
}

/** Estimated bytes of all contents. An unknown size counts as the stored one, which is a little larger. */
function createTotal(
  files: readonly EncryptedFile['file'][],
  onProgress: SaveDecryptedOptions['onProgress'],
) {
  let total = files.reduce((sum, { fileSize }) => sum + fileSize, 0)
  let before = 0
  let current = 0
  return {
    begin: ({ fileSize }: EncryptedFile['file'], size = fileSize) => {
      total += size - fileSize
      before += current
      current = 0
      onProgress(before, total)
    },
    at: (bytes: number) => {
      current = bytes
      onProgress(before + current, total)
    },
  }
}

/** Asks for the key once: the key of one file is tried on the next. */
function remembered(key: KeyPrompt): KeyPrompt {
  let last: string | undefined
  return async (refused) => (last = refused || last === undefined ? await key(refused) : last)
}

/**
 * Downloads files in order, decrypts encrypted ones, and saves them as one zip, without holding them in memory where the browser can. If
 * one of them is incomplete or changed, no file is saved. Not for one-shot files: those before a damaged one would be lost.
 * @throws ManifestError, EncryptionError, ApiError, SavingError; the signal's reason
 */
export async function saveArchive(
  { upload, access, files, encrypted, name, root = '', modified }: ArchivedFiles,
  { key: ask, contentOf, onProgress, signal }: SaveDecryptedOptions,
): Promise<void> {
  const names = archiveNames(files.map(({ fileName }) => fileName.slice(root.length)))
  const total = createTotal(files, onProgress)
  const key = remembered(ask)
  const start = async (file: EncryptedFile['file'], signal: AbortSignal) =>
    encrypted
      ? verifiedDownload(
          await startDecryptedDownload({ upload, access, file }, key, signal),
          await contentOf(file),
        )
      : openStored({ upload, access, file, size: file.fileSize }, signal)

  async function* entries(first: StartedDownload, signal: AbortSignal): AsyncGenerator<ZipFile> {
    for (const [index, file] of files.entries()) {
      const { content, size } = index === 0 ? first : await start(file, signal)
      total.begin(file, size)
      yield { name: names[index] ?? file.id, modified, size, content: withProgress(content, total.at) }
    }
  }
  const open = async (signal: AbortSignal) => {
    const [file] = files
    if (file === undefined) throw new RangeError('an archive has at least one file')
    // A refused file ends it before the first byte.
    for (const entry of files) await contentOf(entry)
    // The key is verified before the browser starts a download.
    const first = await start(file, signal)
    return { content: zipOf(entries(first, signal)), size: undefined }
  }
  const size = files.reduce((sum, { fileSize }) => sum + fileSize, 0)
  await saveContent({ fileName: `${name}.zip`, size, open }, signal)
}
