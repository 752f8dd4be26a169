import { openWithKey } from '../download/key/open-with-key.ts'
import type { UploadKey } from '../download/key/use-upload-key.ts'
import type { EncryptedFile } from '../encryption/encrypted-file.ts'
import { SavingError } from '../decrypted/target.ts'
import type { FileSource } from './file-source.ts'

/**
 * The content of an encrypted file: decrypted in ranges for a player, or in memory. Not for one-shot uploads.
 */
export function decryptedFile(of: EncryptedFile, key: UploadKey): FileSource {
  const open = async (signal: AbortSignal) => {
    const opened = await openWithKey(of, key, signal)
    if (opened === undefined) throw new SavingError('given_up', 'no key was given')
    return opened.file
  }
  return {
    address: undefined,
    whole: async (signal) => (await open(signal)).blob('', signal),
    play: async (signal) => {
      const file = await open(signal)
      const { createPlayerURL: offerToPlayer } = await import('../decrypted/player-url.ts')
      try {
        return await offerToPlayer(file, signal)
      } catch (error) {
        if (error instanceof SavingError && error.code === 'not_taken') return undefined
        throw error
      }
    },
  }
}
