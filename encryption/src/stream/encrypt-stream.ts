import { plainChunks, type Batch } from '../engine/batch.ts'
import { readBatches } from './read-batches.ts'
import { readFrom, type ByteSource } from '../base/byte-source.ts'
import { concat } from '../base/bytes.ts'
import type { Engine } from '../engine/engine.ts'
import type { FileHeader } from '../header/file-header.ts'
import { payloadNonceBytes, tagBytes } from '../base/format.ts'
import { runInOrder, type Done } from './run-in-order.ts'
import { payloadKey } from '../header/payload-key.ts'
import { systemRandom, type RandomSource } from '../base/random-source.ts'

export interface EncryptOptions {
  readonly header: FileHeader
  readonly engine: Engine
  readonly signal?: AbortSignal | undefined
  /** Source of the nonce of the content. */
  readonly random?: RandomSource
}

/** The encrypted chunks of a batch. */
export async function encryptBatchWith(
  engine: Engine,
  key: Uint8Array<ArrayBuffer>,
  batch: Batch,
): Promise<Done> {
  const buffer = await engine.encrypt(key, batch)
  return { bytes: new Uint8Array(buffer, 0, batch.bytes + plainChunks(batch) * tagBytes) }
}

/**
 * Encrypts a stream. The source is cancelled when reading stops or the signal is aborted.
 * @returns the encrypted file, of `header.encryptedSize` bytes
 * @throws the signal's reason; the errors of the source
 */
export async function* encryptStream(
  source: ByteSource,
  { header, engine, signal, random = systemRandom }: EncryptOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const nonce = new Uint8Array(payloadNonceBytes)
  random(nonce)
  // The nonce is new for each content, even of one header, so that two contents never share a key.
  const key = payloadKey(header.fileKey, nonce)
  const reader = readFrom(source, signal)
  try {
    yield concat([header.bytes, nonce])
    for await (const bytes of runInOrder(
      readBatches(reader, 'plain', engine.memory),
      engine.concurrency,
      (batch) => encryptBatchWith(engine, key, batch),
    )) {
      signal?.throwIfAborted()
      yield bytes
    }
  } finally {
    key.fill(0)
    await reader.stop()
  }
}
