import { limits } from '@svc/contract'
import { ApiError, isTransient, waitBeforeRetry, type UploadEvent, type UploadEventOptions } from '@svc/sdk'
import { waitUntilOnline } from '../api/wait-until-online.ts'
import type { Report } from './messages.ts'

/** ms until a change of the uploads opens another stream: a page that opens follows several uploads one after the other. */
const settleMs = 100

/** Where a stream has broken, as where it could not be opened, another one may succeed. */
const isRetryable = (error: unknown) => !(error instanceof ApiError) || isTransient(error)

/**
 * Keeps one stream of the changes of uploads open, and reports what it covers. It opens again after failures, except those that
 * last.
 * @returns sets the uploads; without any, no stream is open
 */
export function uploadChanges(
  receive: (uploadIDs: readonly string[], options: UploadEventOptions) => AsyncIterable<UploadEvent>,
  report: (report: Report) => void,
): (uploadIDs: readonly string[]) => void {
  let current = ''
  let stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  const run = async (uploadIDs: readonly string[], signal: AbortSignal): Promise<void> => {
    let failures = 0
    const onOpen = () => {
      failures = 0
      // Changes since the pages have asked for the uploads are in no event.
      report({ covered: uploadIDs, changed: uploadIDs })
    }
    for (;;) {
      let error: unknown = new ApiError(0, 'network', 'the stream of events has ended')
      try {
        for await (const { uploadID } of receive(uploadIDs, { signal, onOpen }))
          report({ covered: uploadIDs, changed: [uploadID] })
      } catch (cause) {
        error = cause
      }
      if (signal.aborted) return
      report({ covered: [], changed: [] })
      failures += 1
      await waitBeforeRetry(
        { retries: Infinity, isRetryable, signal, wait: waitUntilOnline },
        failures,
        error,
      )
    }
  }
  const open = (uploadIDs: readonly string[]) => {
    const next = uploadIDs.toSorted().join()
    if (next === current) return
    current = next
    stop.abort()
    stop = new AbortController()
    report({ covered: [], changed: [] })
    // It ends when it is aborted, or when the server refuses it for good: then the pages refresh at intervals.
    if (uploadIDs.length > 0) run(uploadIDs, stop.signal).catch(() => undefined)
  }
  return (uploadIDs) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      open([...new Set(uploadIDs)].slice(-limits.watchedUploads))
    }, settleMs)
  }
}
