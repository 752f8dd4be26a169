import type { FileHandle } from 'node:fs/promises'
import { createWakeup } from '../wakeup.ts'

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
  const more = createWakeup()
  return {
    grownTo(position) {
      length = position
      more.ring()
    },
    end() {
      ended = true
      more.ring()
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
        else await more.rung()
      }
    },
  }
}
