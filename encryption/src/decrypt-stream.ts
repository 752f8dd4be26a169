import { withoutArmor } from './armor.ts'
import { batchesOf } from './batches-of.ts'
import { readFrom, type ByteSource } from './byte-source.ts'
import type { Engine } from './engine.ts'
import { payloadNonceBytes, sealedChunkBytes } from './format.ts'
import { readExactly, readHeader } from './header-reader.ts'
import { inOrder } from './in-order.ts'
import { openBatchSafely } from './open-batch.ts'
import { openHeader, type Keys } from './open-header.ts'
import { payloadKey } from './payload-key.ts'

export interface DecryptOptions {
  readonly keys: Keys
  readonly engine: Engine
  readonly signal?: AbortSignal | undefined
}

/**
 * Decrypts a file, armored or not, as it comes. Every byte that is given away is what the sender wrote; that it is all of
 * it is known only at the end. The source is cancelled when nobody wants more, or when the signal is aborted.
 * @throws EncryptionError; the signal's reason; whatever the source throws
 */
export async function* decryptStream(
  source: ByteSource,
  { keys, engine, signal }: DecryptOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const outer = readFrom(source, signal)
  try {
    const reader = await withoutArmor(outer)
    const header = await readHeader(reader)
    const fileKey = await openHeader(header, keys, engine)
    signal?.throwIfAborted()
    const key = payloadKey(fileKey, await readExactly(reader, payloadNonceBytes))
    for await (const bytes of inOrder(batchesOf(reader, sealedChunkBytes), engine.lanes, (batch) =>
      openBatchSafely(engine, key, batch),
    )) {
      signal?.throwIfAborted()
      yield bytes
    }
  } finally {
    await outer.stop()
  }
}
