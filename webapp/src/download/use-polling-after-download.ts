import { onScopeDispose } from 'vue'

/** ms from a download to the first look at what is left; each next look waits twice as long, up to the last. */
const firstLook = 1500
const lastLook = 200_000

export interface PollingOptions {
  readonly refresh: () => Promise<void>
  /** Whether there is still something to be seen that may change. */
  readonly mayChange: () => boolean
}

/** Polls with growing intervals after a one-time download: the page gets no event when it has ended. */
export function usePollingAfterDownload({ refresh, mayChange }: PollingOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = (wait: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void look(wait), wait)
  }
  const look = async (waited: number) => {
    await refresh()
    if (mayChange() && waited < lastLook) plan(2 * waited)
  }
  onScopeDispose(() => {
    clearTimeout(timer)
  })
  return {
    start: () => {
      plan(firstLook)
    },
  }
}
