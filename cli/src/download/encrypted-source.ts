import type { File } from '@svc/contract'
import type { DownloadContext } from './download-context.ts'
import { receive } from './fetch-bytes.ts'
import { headBytes } from './decrypted-part.ts'

/** Encrypted bytes that are received once, and can be read again from the beginning until their key is found. */
export interface EncryptedSource {
  /** To be read once. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** The beginning of the file, as far as it was read. */
  readonly head: () => Uint8Array
  /** The key is found: what is read is no longer kept. */
  readonly unlocked: () => void
  /** All bytes from the beginning, if the key is not found. */
  readonly again: () => AsyncGenerator<Uint8Array>
}

export function createEncryptedSource(received: AsyncGenerator<Uint8Array>): EncryptedSource {
  let head = Buffer.alloc(0)
  let kept: Uint8Array[] | undefined = []
  const next = async () => {
    const result = await received.next()
    if (result.done === true) return { done: true as const, value: undefined }
    const { value } = result
    if (head.length < headBytes) head = Buffer.concat([head, value.subarray(0, headBytes - head.length)])
    kept?.push(value.slice())
    return { done: false as const, value }
  }
  return {
    // The reader's end is not that of the source: it may be read again.
    bytes: { [Symbol.asyncIterator]: () => ({ next }) },
    head: () => head,
    unlocked() {
      kept = undefined
    },
    async *again() {
      yield* kept ?? []
      yield* received
    },
  }
}

/** The bytes of a file from a position to its end, in order. */
export async function* bytesFrom(
  context: DownloadContext,
  file: File,
  start: number,
): AsyncGenerator<Uint8Array, void> {
  for await (const batch of receive(context, file, start)) yield* batch
}
