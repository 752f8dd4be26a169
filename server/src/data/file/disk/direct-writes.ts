import { constants } from 'node:fs'
import { closeFile, hasCode, openFile, writeSome } from './file-calls.ts'

/** Writes that bypass the page cache (O_DIRECT), where the file system supports that. */
export interface DirectWrites {
  /**
   * Writes bytes at `position` of the file.
   * @returns how many were written; the caller writes the rest through the page cache
   */
  readonly write: (bytes: Uint8Array, position: number) => Promise<number>
  /** Whether this many bytes would bypass the page cache if position and memory are aligned. */
  readonly accepts: (bytes: number) => boolean
  readonly close: () => Promise<void>
}

/** Position, length and memory must be multiples of the disk's blocks; no disk has larger ones. */
export const alignment = 4096

/** Smaller writes are faster through the page cache. */
const leastBytes = 512 * 1024

// On systems without O_DIRECT, these are normal writes.
const flags = constants.O_WRONLY | constants.O_DIRECT | constants.O_NOFOLLOW

/** Memory that is aligned to a page, which V8 guarantees for resizable buffers only. */
export const alignedBytes = (size: number) =>
  new Uint8Array(new ArrayBuffer(size, { maxByteLength: size }), 0, size)

/**
 * The page cache does not help bytes that must be on the disk before the response. To copy them there took up to 1.9 s of
 * CPU time per GiB, direct writes take 0.15 s.
 * @param path path of an existing file
 */
export function directWrites(path: string): DirectWrites {
  let file: number | undefined
  let possible = true

  const takes = (bytes: number) => possible && bytes >= leastBytes
  const write = async (bytes: Uint8Array, position: number) => {
    file ??= await openFile(path, flags)
    return writeSome(file, bytes, position)
  }
  return {
    async write(bytes, position) {
      const fits = bytes.length % alignment === 0 && position % alignment === 0
      if (!fits || !takes(bytes.length)) return 0
      try {
        return await write(bytes, position)
      } catch (error) {
        // EINVAL, or a failed `open`, means that direct writes are not supported. Other errors are real.
        if (file !== undefined && !hasCode(error, 'EINVAL')) throw error
        possible = false
        return 0
      }
    },
    accepts: takes,
    async close() {
      if (file !== undefined) await closeFile(file)
    },
  }
}

/** For stores without fsync. */
export const noDirectWrites: DirectWrites = {
  write: () => Promise.resolve(0),
  accepts: () => false,
  close: () => Promise.resolve(),
}
