import { plainChunks, type Batch } from './batch.ts'
import { batchesOf } from './batches-of.ts'
import { readFrom, type ByteSource } from './byte-source.ts'
import { joined } from './bytes.ts'
import type { Engine } from './engine.ts'
import type { Envelope } from './envelope.ts'
import { payloadNonceBytes, tagBytes } from './format.ts'
import { inOrder, type Done } from './in-order.ts'
import { payloadKey } from './payload-key.ts'
import { systemRandom, type Random } from './scrypt-stanza.ts'

export interface EncryptOptions {
  readonly envelope: Envelope
  readonly engine: Engine
  readonly signal?: AbortSignal | undefined
  /** Where the nonce of the content comes from. */
  readonly random?: Random
}

/** The sealed chunks of a batch. */
export async function sealBatchWith(
  engine: Engine,
  key: Uint8Array<ArrayBuffer>,
  batch: Batch,
): Promise<Done> {
  const buffer = await engine.seal(key, batch)
  return { bytes: new Uint8Array(buffer, 0, batch.bytes + plainChunks(batch) * tagBytes) }
}

/**
 * Encrypts a content as it comes. The source is cancelled when nobody wants more, or when the signal is aborted.
 * @returns the encrypted file, `envelope.encryptedSize` bytes of it
 * @throws the signal's reason; whatever the source throws
 */
export async function* encryptStream(
  source: ByteSource,
  { envelope, engine, signal, random = systemRandom }: EncryptOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = readFrom(source, signal)
  try {
    const nonce = new Uint8Array(payloadNonceBytes)
    random(nonce)
    // The nonce is new even where an envelope is used again: no two contents are ever encrypted with one key.
    const key = payloadKey(envelope.fileKey, nonce)
    yield joined([envelope.header, nonce])
    for await (const bytes of inOrder(batchesOf(reader, 'plain', engine.memory), engine.lanes, (batch) =>
      sealBatchWith(engine, key, batch),
    )) {
      signal?.throwIfAborted()
      yield bytes
    }
  } finally {
    await reader.stop()
  }
}
