import { blobOf } from '../../encryption/blob-of.ts'
import { fetchEncrypted } from '../../encryption/encrypted-file.ts'
import type { DecryptedFile } from '../../encryption/open-decrypted.ts'
import { chunksOf } from '../../saving/save-stored.ts'
import { SavingError } from '../../saving/target.ts'
import type { FileSource } from '../../viewers/file-source.ts'
import type { ReceivedFile } from './received.ts'
import type { ReceivedDownload } from './save-received.ts'

/**
 * The content of a received file for a viewer. Not by an address, also without encryption: only a request with a header is
 * served without a download domain, and to guests.
 */
export function receivedSource(received: ReceivedFile, from: ReceivedDownload): FileSource {
  const open = async (signal: AbortSignal) => openReceived(received, from, signal)
  return {
    address: undefined,
    whole: async (signal) => {
      const { size, read } = await open(signal)
      return size === 0 ? new Blob() : blobOf(read({ start: 0, end: size }, signal))
    },
    play: async (signal) => {
      const content = await open(signal)
      const { createPlayerURL } = await import('../../saving/player-url.ts')
      try {
        // Uploads to requests have no manifest with which the content could be compared.
        return { ...(await createPlayerURL(content, signal)), isUnverified: false }
      } catch (error) {
        if (error instanceof SavingError && error.code === 'not_taken') return undefined
        throw error
      }
    },
  }
}

async function openReceived(
  { file, uploadID }: ReceivedFile,
  { access, identity }: ReceivedDownload,
  signal: AbortSignal,
): Promise<DecryptedFile> {
  const encrypted = { upload: { id: uploadID, stream: false }, file, access }
  if (identity !== undefined) {
    const { openDecrypted } = await import('../../encryption/open-decrypted.ts')
    return openDecrypted(encrypted, identity, signal)
  }
  return {
    size: file.fileSize,
    async *read(range, stop = signal) {
      yield* chunksOf(await fetchEncrypted(encrypted, { range, signal: stop }), stop)
    },
  }
}
