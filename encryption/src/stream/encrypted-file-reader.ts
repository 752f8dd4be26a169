import { withoutArmor } from '../header/armor.ts'
import { readBatches } from './read-batches.ts'
import { readFrom, type ByteSource } from '../base/byte-source.ts'
import type { Engine } from '../engine/engine.ts'
import { payloadNonceBytes } from '../base/format.ts'
import { readExactly, readHeader } from '../header/header-reader.ts'
import { runInOrder } from './run-in-order.ts'
import { decryptBatchSafely } from './decrypt-batch.ts'
import { openHeader, type Keys } from '../header/open-header.ts'
import { payloadKey } from '../header/payload-key.ts'
import { plainSize } from '../base/sizes.ts'

/** An encrypted file whose header is read, and whose content waits for a key. */
export interface EncryptedFileReader {
  /**
   * Bytes of the content, unverified before its end; undefined for an armored file.
   * @param encryptedBytes bytes of the whole file
   * @throws EncryptionError `truncated` for a size that no encrypted file has
   */
  readonly plainSize: (encryptedBytes: number) => number | undefined
  /**
   * The content, if one of the keys fits. After a refusal the caller may try other keys: no bytes of the source are lost.
   * @throws EncryptionError as `openHeader` does; the content throws as `decryptStream` does
   */
  readonly decrypt: (keys: Keys) => Promise<AsyncGenerator<Uint8Array<ArrayBuffer>, void>>
  /** Closes the source. */
  readonly stop: () => Promise<void>
}

export interface EncryptedFileReaderOptions {
  readonly engine: Engine
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the header of a file, armored or not, so that keys can be tried before the content is read. One-shot files can be
 * fetched only once.
 * @throws EncryptionError `not_encrypted`, `truncated`, `bad_header`, `bad_armor`; the signal's reason; the errors of the
 * source
 */
export async function readEncrypted(
  source: ByteSource,
  { engine, signal }: EncryptedFileReaderOptions,
): Promise<EncryptedFileReader> {
  const outer = readFrom(source, signal)
  try {
    const reader = await withoutArmor(outer)
    const header = await readHeader(reader)
    async function* contentOf(fileKey: Uint8Array): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
      let key: Uint8Array<ArrayBuffer> | undefined
      try {
        const contentKey = (key = payloadKey(fileKey, await readExactly(reader, payloadNonceBytes)))
        for await (const bytes of runInOrder(
          readBatches(reader, 'encrypted', engine.memory),
          engine.concurrency,
          (batch) => decryptBatchSafely(engine, contentKey, batch),
        )) {
          signal?.throwIfAborted()
          yield bytes
        }
      } finally {
        key?.fill(0)
        await outer.stop()
      }
    }
    return {
      plainSize: (encryptedBytes) =>
        reader === outer ? plainSize(encryptedBytes, header.length) : undefined,
      decrypt: async (keys) => {
        const fileKey = await openHeader(header, keys, engine)
        signal?.throwIfAborted()
        return contentOf(fileKey)
      },
      stop: outer.stop,
    }
  } catch (error) {
    await outer.stop()
    throw error
  }
}
