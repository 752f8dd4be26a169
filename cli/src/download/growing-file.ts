import type { FileHandle } from 'node:fs/promises'

/** A file that is read while it is written. */
export interface GrowingFile {
  /** So many bytes, from the beginning, are in the file. */
  readonly grownTo: (position: number) => void
  /** Nothing more will come. */
  readonly end: () => void
  /** All bytes to the end; each piece is overwritten by the next. Waits for those that have not come. */
  readonly pieces: (file: FileHandle) => AsyncGenerator<Uint8Array, void>
}

const pieceBytes = 512 * 1024

export function createGrowingFile(): GrowingFile {
  let length = 0
  let ended = false
  let more = Promise.withResolvers<undefined>()
  const tell = () => {
    more.resolve(undefined)
    more = Promise.withResolvers()
  }
  return {
    grownTo(position) {
      length = position
      tell()
    },
    end() {
      ended = true
      tell()
    },
    async *pieces(file) {
      const buffer = new Uint8Array(pieceBytes)
      for (let at = 0; ;) {
        const missing = length - at
        if (missing > 0) {
          const { bytesRead } = await file.read(buffer, 0, Math.min(pieceBytes, missing), at)
          if (bytesRead === 0) return
          at += bytesRead
          yield buffer.subarray(0, bytesRead)
        } else if (ended) return
        else await more.promise
      }
    },
  }
}
