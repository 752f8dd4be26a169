import { syncAll, syncBytes } from './file-calls.ts'

/** Bytes after which a sync starts. */
const step = 32 * 1024 * 1024

/** Syncs a file while more bytes arrive, so that the final sync is short. */
export interface BackgroundSync {
  /** Reports written bytes. Never waits. */
  readonly written: (bytes: number) => void
  /** Resolves when no sync runs, so that the file can be closed. */
  readonly waitForSync: () => Promise<void>
  /** Resolves when all bytes and the metadata are on the disk. Rejects with the first error, which the system reports only once. */
  readonly finish: () => Promise<void>
}

export function backgroundSync(file: number): BackgroundSync {
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
  const waitForSync = async () => {
    await running
  }
  return {
    written(bytes) {
      waiting += bytes
      if (waiting < step || running !== undefined) return
      waiting = 0
      running = sync(syncBytes)
    },
    waitForSync,
    async finish() {
      await waitForSync()
      await sync(syncAll)
      if (failure !== undefined) throw failure.error
    },
  }
}

/** For stores without fsync. */
export const noSync: BackgroundSync = {
  written: () => undefined,
  waitForSync: () => Promise.resolve(),
  finish: () => Promise.resolve(),
}
