import type { File, Upload } from '@svc/contract'
import { availability } from '../base/file-state.ts'
import { watchUpload } from './watch-upload.ts'

/** ms between two looks where no events come: at an upload whose files are still being sent, and at one whose downloads are counted. */
const intervals = { arriving: 4000, counted: 30_000 }

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
  /** False for an upload whose changes are in no event: one with a password, or that a request has received. */
  readonly hasEvents: boolean
  /** Whether the last look must be confirmed by another one: a file without a connection counts as interrupted only then. */
  readonly isUnconfirmed?: () => boolean
  /** Whether arriving bytes are shown, which are in no event: then it looks at intervals also where events come. */
  readonly showsBytes?: () => boolean
  /** Whether the page looks at every change anyway, so that this only looks where no events come. */
  readonly isFollowed?: boolean
}

/**
 * Looks at an upload when it has changed; at intervals where the server reports no changes.
 * @returns ends
 */
export function followUpload({
  uploadID,
  look,
  delay,
  hasEvents,
  isUnconfirmed = () => false,
  showsBytes = () => false,
  isFollowed = false,
}: FollowOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isCovered = false
  let isLooking = false
  let looks = 0
  /** Whether the upload has changed since the current look has begun. */
  let isStale = false
  let isOver = false

  const plan = () => {
    clearTimeout(timer)
    if (isOver || (isCovered && !isUnconfirmed() && !showsBytes())) return
    const ms = delay(looks)
    if (ms === undefined) return
    timer = setTimeout(() => void lookNow(), ms)
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
          if (isCovered === now.isCovered && !now.isChanged) return
          ;({ isCovered } = now)
          if (now.isChanged && !isFollowed) void lookNow()
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

interface Shown {
  readonly upload: Upload
  readonly manifest: File | undefined
  /** Whether a file had no connection at this look, and had one before. */
  readonly isUnconfirmed: boolean
}

/**
 * Follows an upload whose files are still being sent, or whose downloads are counted.
 * @param current what was shown last
 * @param look asks for the upload, and shows it
 * @returns ends
 */
export function followShown(current: () => Shown, look: () => Promise<void>): () => void {
  const { id: uploadID, protectedByPassword, request } = current().upload
  const isArriving = () => {
    const { upload, manifest } = current()
    const files = manifest ? [manifest, ...upload.files] : upload.files
    return upload.stream || files.some((file) => availability(file, upload) === 'coming')
  }
  return followUpload({
    uploadID,
    look,
    delay: () => (isArriving() ? intervals.arriving : intervals.counted),
    hasEvents: !protectedByPassword && request === undefined,
    isUnconfirmed: () => current().isUnconfirmed,
    showsBytes: () => current().upload.admin && isArriving(),
  })
}
