import { openWithKey } from '../download/key/open-with-key.ts'
import type { UploadKey } from '../download/key/use-upload-key.ts'
import type { EncryptedFile } from '../encryption/encrypted-file.ts'
import { SavingError } from '../saving/target.ts'
import type { ContentOf } from '../manifest/expected-content.ts'
import { blobOf } from '../encryption/blob-of.ts'
import type { FileSource } from './file-source.ts'
import { viewerLimit } from './viewer-kind.ts'

/**
 * The content of an encrypted file: decrypted in ranges for a player, or in memory. Not for one-shot uploads.
 */
export function decryptedFile(encrypted: EncryptedFile, key: UploadKey, contentOf: ContentOf): FileSource {
  const open = async (signal: AbortSignal) => {
    const expected = await contentOf(encrypted.file)
    const opened = await openWithKey(encrypted, key, signal)
    if (opened === undefined) throw new SavingError('given_up', 'no key was given')
    if (expected !== undefined && opened.file.size !== expected.size) throw expected.refuse()
    return { file: opened.file, expected }
  }
  return {
    address: undefined,
    whole: async (signal) => {
      const { file, expected } = await open(signal)
      const { verifiedContent } = await import('../manifest/verified-content.ts')
      return blobOf(verifiedContent(file.read({ start: 0, end: file.size }, signal), expected))
    },
    play: async (signal) => {
      const { file, expected } = await open(signal)
      // Only a whole content can be compared with what was sent.
      if (expected !== undefined && file.size <= viewerLimit('video')) return undefined
      const { createPlayerURL: offerToPlayer } = await import('../saving/player-url.ts')
      try {
        return { ...(await offerToPlayer(file, signal)), isUnverified: expected !== undefined }
      } catch (error) {
        if (error instanceof SavingError && error.code === 'not_taken') return undefined
        throw error
      }
    },
  }
}
