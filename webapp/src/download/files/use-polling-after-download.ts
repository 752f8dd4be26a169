import { onScopeDispose } from 'vue'

/** ms from a download to the first and the last poll; the delay doubles. */
const firstDelay = 1500
const lastDelay = 200_000

export interface PollingOptions {
  readonly refresh: () => Promise<void>
  /** Whether the shown state may still change. */
  readonly mayChange: () => boolean
}

/** Polls with growing delays after a one-shot download, because the page gets no event when it ends. */
export function usePollingAfterDownload({ refresh, mayChange }: PollingOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = (delay: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void poll(delay), delay)
  }
  const poll = async (delay: number) => {
    await refresh()
    if (mayChange() && delay < lastDelay) schedule(2 * delay)
  }
  onScopeDispose(() => {
    clearTimeout(timer)
  })
  return {
    start: () => {
      schedule(firstDelay)
    },
  }
}
