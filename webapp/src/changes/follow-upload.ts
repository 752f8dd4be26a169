import type { Upload } from '@svc/contract'
import { watchUpload } from './watch-upload.ts'

/** ms between two looks at an upload whose files are still being sent, where no events come. */
const interval = 4000

export interface FollowOptions {
  readonly uploadID: string
  /** Asks for the upload, and shows it. */
  readonly look: () => Promise<unknown>
  /**
   * ms from a look to the next one, where no events come.
   * @param looks the number of looks so far
   * @returns undefined after the last one
   */
  readonly delay: (looks: number) => number | undefined
  /** False for an upload whose changes are in no event: one with a password, or whose arriving bytes are shown. */
  readonly hasEvents: boolean
}

/**
 * Looks at an upload when it has changed; at intervals where the server reports no changes.
 * @returns ends
 */
export function followUpload({ uploadID, look, delay, hasEvents }: FollowOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isCovered = false
  let isLooking = false
  let looks = 0
  /** Whether the upload has changed since the current look has begun. */
  let isStale = false
  /** Whether one more look follows: a file without a connection counts as interrupted only at the second one. */
  let needsConfirmation = false
  let isOver = false

  const plan = () => {
    clearTimeout(timer)
    if (isOver || (isCovered && !needsConfirmation)) return
    const ms = delay(looks)
    if (ms === undefined) return
    timer = setTimeout(() => {
      needsConfirmation = false
      void lookNow()
    }, ms)
  }
  const lookNow = async () => {
    isStale = true
    if (isLooking) return
    isLooking = true
    clearTimeout(timer)
    while (isStale && !isOver) {
      isStale = false
      looks += 1
      await look()
    }
    isLooking = false
    plan()
  }
  const stopWatching = hasEvents
    ? watchUpload(uploadID, {
        onReport(now) {
          const isEvent = isCovered && now.isChanged
          if (isCovered === now.isCovered && !now.isChanged) return
          ;({ isCovered } = now)
          needsConfirmation = isEvent
          if (now.isChanged) void lookNow()
          else if (!isLooking) plan()
        },
      })
    : () => undefined
  plan()
  return () => {
    isOver = true
    clearTimeout(timer)
    stopWatching()
  }
}

/**
 * Follows an upload whose files are still being sent.
 * @param look asks for the upload, and shows it
 * @returns ends
 */
export const followArriving = (
  { id: uploadID, protectedByPassword, admin }: Upload,
  look: () => Promise<void>,
): (() => void) =>
  // The arriving bytes, which the sender sees, are no events.
  followUpload({ uploadID, look, delay: () => interval, hasEvents: !protectedByPassword && !admin })
