import { createTaskQueue } from '@svc/sdk'

export interface ThumbnailStoreOptions<Source extends object> {
  readonly draw: (source: Source, signal: AbortSignal) => Promise<Blob | undefined>
  /** Maximum number of concurrent drawings. */
  readonly concurrency: number
  /** Maximum number of thumbnails in memory: the latest. */
  readonly capacity: number
}

/** Draws thumbnails, a few at a time, and keeps the latest in memory. */
export function createThumbnailStore<Source extends object>({
  draw,
  concurrency,
  capacity,
}: ThumbnailStoreOptions<Source>) {
  const queue = createTaskQueue(concurrency)
  /** Undefined: the file has no thumbnail. The latest are last. */
  const drawn = new Map<Source, Blob | undefined>()
  const keep = (source: Source, thumbnail: Blob | undefined) => {
    drawn.delete(source)
    drawn.set(source, thumbnail)
    for (const oldest of drawn.keys()) {
      if (drawn.size <= capacity) return
      drawn.delete(oldest)
    }
  }
  return {
    /**
     * The thumbnail of a file, from memory or drawn in its turn.
     * @param signal ends the wait: a thumbnail that is no longer needed is not drawn
     * @returns undefined where there is none, or after the signal
     */
    get: (source: Source, signal: AbortSignal): Promise<Blob | undefined> => {
      if (drawn.has(source)) {
        keep(source, drawn.get(source))
        return Promise.resolve(drawn.get(source))
      }
      const isNeeded = () => !signal.aborted
      return new Promise((resolve) => {
        queue.add(async () => {
          const thumbnail = isNeeded() ? await draw(source, signal).catch(() => undefined) : undefined
          // A drawing that was ended says nothing about the file.
          if (isNeeded()) keep(source, thumbnail)
          resolve(thumbnail)
        })
      })
    },
  }
}
