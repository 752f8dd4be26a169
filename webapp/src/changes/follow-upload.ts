import type { File, Upload } from '@svc/contract'
import { availability } from '../base/file-state.ts'
import { watchUpload } from './watch-upload.ts'

/** Polling intervals without events, in ms: for an upload whose files are arriving, and for one whose downloads are counted. */
const intervals = { arriving: 4000, counted: 30_000 }

export interface FollowOptions {
  readonly uploadID: string
  /** Fetches the upload and shows it. */
  readonly refresh: () => Promise<unknown>
  /**
   * ms from a refresh to the next one, where no events come.
   * @param refreshes how many times it was refreshed so far
   * @returns undefined after the last one
   */
  readonly delay: (refreshes: number) => number | undefined
  /** False for an upload whose changes are in no event: one with a password, or that a request has received. */
  readonly hasEvents: boolean
  /** Whether the last state must be confirmed by another one: a file without a connection counts as interrupted only then. */
  readonly isUnconfirmed?: () => boolean
  /** Whether arriving bytes are shown, which are in no event: then it refreshes at intervals also where events come. */
  readonly showsBytes?: () => boolean
  /** Whether the page refreshes at every change anyway, so that this only refreshes where no events come. */
  readonly isFollowed?: boolean
}

/**
 * Refreshes an upload when it has changed; at intervals where the server reports no changes.
 * @returns stops following
 */
export function followUpload({
  uploadID,
  refresh,
  delay,
  hasEvents,
  isUnconfirmed = () => false,
  showsBytes = () => false,
  isFollowed = false,
}: FollowOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isCovered = false
  let isRefreshing = false
  let refreshes = 0
  /** Whether the upload has changed since the current refresh began. */
  let isStale = false
  let isOver = false

  const scheduleRefresh = () => {
    clearTimeout(timer)
    if (isOver || (isCovered && !isUnconfirmed() && !showsBytes())) return
    const ms = delay(refreshes)
    if (ms === undefined) return
    timer = setTimeout(() => void refreshNow(), ms)
  }
  const refreshNow = async () => {
    isStale = true
    if (isRefreshing) return
    isRefreshing = true
    clearTimeout(timer)
    while (isStale && !isOver) {
      isStale = false
      refreshes += 1
      await refresh()
    }
    isRefreshing = false
    scheduleRefresh()
  }
  const stopWatching = hasEvents
    ? watchUpload(uploadID, {
        onReport(now) {
          if (isCovered === now.isCovered && !now.isChanged) return
          ;({ isCovered } = now)
          if (now.isChanged && !isFollowed) void refreshNow()
          else if (!isRefreshing) scheduleRefresh()
        },
      })
    : () => undefined
  scheduleRefresh()
  return () => {
    isOver = true
    clearTimeout(timer)
    stopWatching()
  }
}

interface ShownUpload {
  readonly upload: Upload
  readonly manifest: File | undefined
  /** Whether a file had no connection at this refresh, and had one before. */
  readonly isUnconfirmed: boolean
}

/**
 * Follows an upload whose files are still being sent, or whose downloads are counted.
 * @param current what was shown last
 * @param refresh fetches the upload and shows it
 * @returns stops following
 */
export function followShown(current: () => ShownUpload, refresh: () => Promise<void>): () => void {
  const { id: uploadID, protectedByPassword, request } = current().upload
  const isArriving = () => {
    const { upload, manifest } = current()
    const files = manifest ? [manifest, ...upload.files] : upload.files
    return upload.stream || files.some((file) => availability(file, upload) === 'coming')
  }
  return followUpload({
    uploadID,
    refresh,
    delay: () => (isArriving() ? intervals.arriving : intervals.counted),
    hasEvents: !protectedByPassword && request === undefined,
    isUnconfirmed: () => current().isUnconfirmed,
    showsBytes: () => current().upload.admin && isArriving(),
  })
}
