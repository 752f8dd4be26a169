import { unlink } from 'node:fs/promises'
import type { File } from '@svc/contract'
import { isResumable } from '@svc/sdk'
import type { KeyRing } from '../encryption/key-ring.ts'
import { fetchBytes, type DownloadContext } from './fetch-bytes.ts'
import type { Sink } from '../files/sink.ts'

interface EncryptedFile {
  readonly file: File
  /** Writes the encrypted bytes to `part`. */
  readonly sink: Sink
  readonly part: string
  /** Path of the content. */
  readonly plain: string
}

/**
 * Downloads and decrypts a file at the same time. The encrypted bytes are kept until the content is complete: the download
 * resumes with them, they have the server's checksum, and another passphrase can be tried.
 * @throws Failure, ApiError, EncryptionError, the signal's reason. The content is removed then.
 */
export async function fetchDecrypted(
  fetching: DownloadContext & { readonly keys: KeyRing },
  { file, sink, part, plain }: EncryptedFile,
): Promise<void> {
  const { keys: ring, upload, signal, onBytes } = fetching
  const { decryptedSink, startDecryption } = await import('./decryption.ts')
  let fetched = false
  for (let keys = ring.current(); ;) {
    const decryption = startDecryption({ from: part, to: plain, keys, engine: ring.engine, signal })
    try {
      if (!fetched) {
        await fetchBytes(
          fetching,
          file,
          decryptedSink(sink, decryption, isResumable(upload) ? 'stop' : 'wait'),
        )
        fetched = true
      } else decryption.grownTo(sink.position())
      await decryption.finish()
      return
    } catch (error) {
      await decryption.cancel()
      await unlink(plain).catch(() => undefined)
      const others = await ring.more(error, keys)
      if (others === undefined) throw error
      keys = others
      if (!fetched) onBytes(-sink.position())
    }
  }
}
