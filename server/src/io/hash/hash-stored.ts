import type { Hashes } from './hash-messages.ts'
import type { HasherPool } from './hasher-pool.ts'
import { sharedBytes } from '../shared-bytes.ts'
import { ignore } from '../../domain/ignore.ts'

const blockSize = 512 * 1024

/** Hashes stored bytes in a thread: one block is filled while the other is hashed. */
export async function hashStored(hashers: HasherPool, chunks: AsyncIterable<Uint8Array>): Promise<Hashes> {
  const failed = Promise.withResolvers<never>()
  // Prevents an unhandled rejection while nothing awaits the promise.
  failed.promise.catch(ignore)
  const hasher = hashers.open(failed.reject)
  const hash = (bytes: Uint8Array) =>
    Promise.race([
      new Promise<void>((read) => {
        hasher.update(bytes, read)
      }),
      failed.promise,
    ])
  let filling = sharedBytes(blockSize)
  let other = sharedBytes(blockSize)
  let filled = 0
  let hashed: Promise<void> = Promise.resolve()
  const pass = async () => {
    await hashed
    hashed = hash(filling.subarray(0, filled))
    hashed.catch(ignore)
    ;[filling, other] = [other, filling]
    filled = 0
  }
  try {
    for await (const chunk of chunks) {
      for (let offset = 0; offset < chunk.length;) {
        const part = chunk.subarray(offset, offset + blockSize - filled)
        filling.set(part, filled)
        filled += part.length
        offset += part.length
        if (filled === blockSize) await pass()
      }
    }
    await pass()
    await hashed
    return await hasher.digest()
  } catch (error) {
    hasher.drop()
    throw error
  }
}
