import type { ByteSource } from '../base/byte-source.ts'
import type { Engine } from '../engine/engine.ts'
import { readEncrypted } from './encrypted-file-reader.ts'
import type { Keys } from '../header/open-header.ts'

export interface DecryptOptions {
  readonly keys: Keys
  readonly engine: Engine
  readonly signal?: AbortSignal | undefined
}

/**
 * Decrypts a stream, armored or not. Every returned byte is verified; that the file is complete is known only at the end.
 * The source is cancelled when reading stops or the signal is aborted.
 * @throws EncryptionError; the signal's reason; the errors of the source
 */
export async function* decryptStream(
  source: ByteSource,
  { keys, engine, signal }: DecryptOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = await readEncrypted(source, { engine, signal })
  try {
    yield* await reader.decrypt(keys)
  } finally {
    await reader.stop()
  }
}
