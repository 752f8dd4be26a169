import type { FileHandle } from 'node:fs/promises'
import type { FillingSource } from '@svc/encryption'
import { createNotifier } from '../transfer/notifier.ts'

/** A file that is read while it is written. */
export interface GrowingFile {
  /** Reports the length of the file so far, in bytes. */
  readonly grownTo: (position: number) => void
  /** Marks the file as complete. */
  readonly end: () => void
  /** All bytes of the file. Waits for those that are not written yet. */
  readonly bytesOf: (file: FileHandle) => FillingSource
}

export function createGrowingFile(): GrowingFile {
  let length = 0
  let ended = false
  const more = createNotifier()
  return {
    grownTo(position) {
      length = position
      more.notify()
    },
    end() {
      ended = true
      more.notify()
    },
    bytesOf(file) {
      let at = 0
      return {
        async fill(into) {
          while (at === length && !ended) await more.wait()
          const { bytesRead } = await file.read(into, 0, Math.min(into.length, length - at), at)
          at += bytesRead
          return bytesRead
        },
      }
    },
  }
}
