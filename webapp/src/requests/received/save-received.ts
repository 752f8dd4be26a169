import { archiveNames, lastSegment } from '@svc/contract'
import type { Access } from '@svc/sdk'
import { saveContent } from '../../saving/save-content.ts'
import { openStored } from '../../saving/save-stored.ts'
import type { SaveDecryptedOptions } from '../../saving/save-decrypted.ts'
import { startDecryptedDownload, withProgress, type StartedDownload } from '../../saving/start-download.ts'
import { zipOf, type ZipFile } from '../../saving/zip/zip.ts'
import type { ReceivedFile } from './received.ts'

export interface ReceivedDownload {
  readonly access: Access
  /** Opens encrypted files; undefined for files that are not encrypted. */
  readonly identity: string | undefined
}

export interface ArchiveNames {
  /** Of the zip, without `.zip`. */
  readonly name: string
  /** The path of a file in the zip; its name by default. */
  readonly pathOf?: (file: ReceivedFile) => string
}

type Progress = Omit<SaveDecryptedOptions, 'key' | 'contentOf'>

function start(
  { file, uploadID }: ReceivedFile,
  { access, identity }: ReceivedDownload,
  signal: AbortSignal,
): Promise<StartedDownload> {
  const upload = { id: uploadID, stream: false }
  return identity === undefined
    ? openStored({ upload, file, size: file.fileSize, access }, signal)
    : // A wrong identity ends the download.
      startDecryptedDownload(
        { upload, file, access },
        (refused) => Promise.resolve(refused ? undefined : identity),
        signal,
      )
}

/**
 * Downloads, decrypts and saves a file.
 * @throws ApiError, EncryptionError, SavingError; the signal's reason
 */
export async function saveReceived(
  received: ReceivedFile,
  from: ReceivedDownload,
  { onProgress, signal }: Progress,
): Promise<void> {
  const open = async (signal: AbortSignal) => {
    const { content, size } = await start(received, from, signal)
    onProgress(0, size)
    return { content: withProgress(content, (bytes) => onProgress(bytes, size)), size }
  }
  const { fileSize: size } = received.file
  await saveContent({ fileName: lastSegment(received.name), size, open }, signal)
}

/**
 * Downloads files in order, decrypts them, and saves them as one zip.
 * @throws as `saveReceived`
 */
export async function saveReceivedArchive(
  files: readonly ReceivedFile[],
  { name, pathOf = (file) => file.name }: ArchiveNames,
  from: ReceivedDownload,
  { onProgress, signal }: Progress,
): Promise<void> {
  const names = archiveNames(files.map(pathOf))
  const total = files.reduce((sum, { file }) => sum + file.fileSize, 0)
  let before = 0
  async function* entries(signal: AbortSignal): AsyncGenerator<ZipFile> {
    for (const [index, received] of files.entries()) {
      const { content, size } = await start(received, from, signal)
      const { file, modified } = received
      yield {
        name: names[index] ?? file.id,
        modified,
        size,
        content: withProgress(content, (bytes) => onProgress(before + bytes, total)),
      }
      before += file.fileSize
    }
  }
  const open = (signal: AbortSignal) => {
    onProgress(0, total)
    return Promise.resolve({ content: zipOf(entries(signal)), size: undefined })
  }
  await saveContent({ fileName: `${name}.zip`, size: total, open }, signal)
}
