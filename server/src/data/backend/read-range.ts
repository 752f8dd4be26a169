import type { ByteRange, RandomReader } from './backend.ts'

const chunkSize = 64 * 1024

/**
 * The bytes of a reader, or one range of them, to be read once. Each chunk has separate memory. The reader is closed at
 * the end, after an error, and by `return` even before the first chunk, for which a generator would not run its `finally`.
 */
export function readRange(reader: RandomReader, range?: ByteRange): AsyncIterable<Uint8Array> {
  const end = range === undefined ? Infinity : range.end + 1
  let position = range?.start ?? 0
  let open = true

  const finish = async (): Promise<IteratorResult<Uint8Array>> => {
    const wasOpen = open
    open = false
    if (wasOpen) await reader.close()
    return { done: true, value: undefined }
  }
  const chunks: AsyncIterator<Uint8Array> = {
    async next() {
      if (!open || position >= end) return finish()
      const chunk = Buffer.allocUnsafeSlow(Math.min(chunkSize, end - position))
      try {
        const count = await reader.read(chunk, position)
        if (count === 0) return await finish()
        position += count
        return { done: false, value: chunk.subarray(0, count) }
      } catch (error) {
        await finish()
        throw error
      }
    },
    return: finish,
  }
  return { [Symbol.asyncIterator]: () => chunks }
}
