import { createNotifier } from '../transfer/notifier.ts'
import type { Pace } from './response-body.ts'

/** Bytes of a block. */
const blockBytes = 1024 * 1024
/** One is filled, one is being written, and one waits for that. */
const blocks = 3
/** Less room than this at the end of a block is not worth a read. */
const minRoom = 64 * 1024

/** Collects the bytes of a socket in a few reused blocks. */
export interface BlockReader {
  /** Free space for the next bytes; undefined while all blocks are in use. `onRoom` reports the end of that. */
  readonly room: () => Buffer | undefined
  /** Reports how many bytes were written there. */
  readonly filled: (bytes: number) => void
  /**
   * Ends the bytes.
   * @param error the reason, if bytes are missing
   */
  readonly end: (error?: Error) => void
  /** All bytes to the end. A batch is reused when the second one after it is requested. */
  readonly batches: (pace: Pace) => AsyncGenerator<readonly Buffer<ArrayBuffer>[], void>
}

/** @param onRoom called when a block is free again */
export function createBlockReader(onRoom: () => void): BlockReader {
  const free: Buffer<ArrayBuffer>[] = Array.from({ length: blocks }, () => Buffer.allocUnsafeSlow(blockBytes))
  const full: Buffer<ArrayBuffer>[] = []
  let current = free.pop()
  let length = 0
  let isAwaited = false
  let ended: { readonly error: Error | undefined } | undefined
  const more = createNotifier()

  /** Passes the block that is being filled to the reader, and wakes the reader. */
  const handOver = () => {
    if (current !== undefined && length > 0) {
      full.push(current.subarray(0, length))
      current = free.pop()
      length = 0
    }
    isAwaited = false
    more.notify()
  }
  const release = (block: Buffer<ArrayBuffer>) => {
    free.push(Buffer.from(block.buffer))
    if (current !== undefined) return
    current = free.pop()
    onRoom()
  }
  return {
    room: () => current?.subarray(length),
    filled(bytes) {
      length += bytes
      // A waiting reader gets the available bytes: no delay on a slow line, large blocks on a fast one. Only here, because a
      // read into the last result of `room` may be in progress.
      if (isAwaited || blockBytes - length < minRoom) handOver()
    },
    end(error) {
      ended ??= { error }
      handOver()
    },
    async *batches(pace) {
      const unreleased: Buffer<ArrayBuffer>[] = []
      for (;;) {
        const block = full.shift()
        if (block !== undefined) {
          unreleased.push(block)
          await pace(block.length)
          yield [block]
          const oldest = unreleased.length > 1 ? unreleased.shift() : undefined
          if (oldest !== undefined) release(oldest)
        } else if (ended === undefined) {
          isAwaited = true
          await more.wait()
        } else if (ended.error === undefined) return
        else throw ended.error
      }
    },
  }
}
