import { readEncrypted, type EncryptedFileReader } from '@svc/encryption'
import { bodyOf, fetchEncrypted, type EncryptedFile } from '../encryption/encrypted-file.ts'
import { sharedEngine } from '../encryption/shared-engine.ts'
import { decryptionKeys } from '../encryption/decryption-keys.ts'
import { isWrongKey } from '../encryption/wrong-key.ts'
import type { ExpectedContent } from '../manifest/expected-content.ts'
import { verifiedContent } from '../manifest/verified-content.ts'
import { SavingError, type Content } from './target.ts'

/** Asks for a missing or wrong key; undefined cancels. */
export type KeyPrompt = (refused: boolean) => Promise<string | undefined>

export interface StartedDownload {
  readonly content: Content
  /** Bytes of the content; undefined when unknown. */
  readonly size: number | undefined
}

/** Tries keys on a single stream, because a one-shot file can be fetched only once. */
async function decryptWithPrompt(reader: EncryptedFileReader, key: KeyPrompt): Promise<Content> {
  let currentKey = await key(false)
  for (;;) {
    if (currentKey === undefined) throw new SavingError('given_up', 'no key was given')
    try {
      return await reader.decrypt(decryptionKeys(currentKey))
    } catch (error) {
      if (!isWrongKey(error)) throw error
      currentKey = await key(true)
    }
  }
}

/**
 * Starts the download of a whole file, and opens it.
 * @throws EncryptionError, ApiError, SavingError `given_up`; the signal's reason
 */
export async function startDecryptedDownload(
  encrypted: EncryptedFile,
  key: KeyPrompt,
  signal: AbortSignal,
): Promise<StartedDownload> {
  const response = await fetchEncrypted(encrypted, { signal })
  const length = Number(response.headers.get('content-length') ?? encrypted.file.fileSize)
  const reader = await readEncrypted(bodyOf(response), { engine: sharedEngine(), signal })
  const content = await decryptWithPrompt(reader, key)
  return { content, size: length > 0 ? reader.plainSize(length) : undefined }
}

/**
 * A download that fails if its content is not the expected one.
 * @throws ManifestError for another size
 */
export function verifiedDownload(
  { content, size }: StartedDownload,
  expected: ExpectedContent | undefined,
): StartedDownload {
  if (expected !== undefined && size !== undefined && size !== expected.size) throw expected.refuse()
  return { content: verifiedContent(content, expected), size }
}

/** @param onBytes called with the number of bytes read so far */
export async function* withProgress(content: Content, onBytes: (bytes: number) => void): Content {
  let bytes = 0
  for await (const chunk of content) {
    // A target may transfer the chunk to another thread.
    bytes += chunk.length
    yield chunk
    onBytes(bytes)
  }
}
