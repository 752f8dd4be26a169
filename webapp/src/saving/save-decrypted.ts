import { lastSegment } from '@svc/contract'
import type { ContentOf } from '../manifest/expected-content.ts'
import type { EncryptedFile } from '../encryption/encrypted-file.ts'
import { saveContent } from './save-content.ts'
import { verifiedDownload, withProgress, startDecryptedDownload, type KeyPrompt } from './start-download.ts'

export interface SaveDecryptedOptions {
  readonly key: KeyPrompt
  readonly contentOf: ContentOf
  /** @param total bytes of the content; undefined when unknown */
  readonly onProgress: (bytes: number, total: number | undefined) => void
  readonly signal: AbortSignal
}

/**
 * Downloads, decrypts and saves a file, without holding it in memory where the browser can. An incomplete or changed file
 * never becomes a finished file.
 * @throws ManifestError, EncryptionError, ApiError, SavingError; the signal's reason
 */
export async function saveDecrypted(
  encrypted: EncryptedFile,
  { key, contentOf, onProgress, signal }: SaveDecryptedOptions,
): Promise<void> {
  const open = async (signal: AbortSignal) => {
    const expected = await contentOf(encrypted.file)
    const { content, size } = verifiedDownload(await startDecryptedDownload(encrypted, key, signal), expected)
    onProgress(0, size)
    return { content: withProgress(content, (bytes) => onProgress(bytes, size)), size }
  }
  await saveContent(
    { fileName: lastSegment(encrypted.file.fileName), size: encrypted.file.fileSize, open },
    signal,
  )
}
