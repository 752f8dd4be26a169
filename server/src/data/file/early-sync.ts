import { syncAll, syncBytes } from './file-calls.ts'

/** Bytes after which the disk is set to work. */
const step = 32 * 1024 * 1024

/** Brings a file to the disk while more of it is still coming, so that little is left to wait for at its end. */
export interface EarlySync {
  /** So many bytes were written. Never waits. */
  readonly written: (bytes: number) => void
  /** Resolves when nothing is under way any more: the file may be closed. */
  readonly settled: () => Promise<void>
  /** Resolves when all bytes are on the disk, and so is the name. Rejects with the first error, which the system tells only once. */
  readonly finish: () => Promise<void>
}

export function earlySync(file: number): EarlySync {
  let waiting = 0
  let running: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined

  const sync = async (call: typeof syncBytes) => {
    try {
      await call(file)
    } catch (error) {
      failure ??= { error }
    }
    running = undefined
  }
  const settled = async () => {
    await running
  }
  return {
    written(bytes) {
      waiting += bytes
      if (waiting < step || running !== undefined) return
      waiting = 0
      running = sync(syncBytes)
    },
    settled,
    async finish() {
      await settled()
      await sync(syncAll)
      if (failure !== undefined) throw failure.error
    },
  }
}

/** For stores that leave it to the system when bytes reach the disk. */
export const noSync: EarlySync = {
  written: () => undefined,
  settled: () => Promise.resolve(),
  finish: () => Promise.resolve(),
}
