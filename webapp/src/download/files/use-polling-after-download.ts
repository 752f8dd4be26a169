import { onScopeDispose } from 'vue'

/** ms from a download to the first and the last poll; the delay doubles. */
const firstLook = 1500
const lastLook = 200_000

export interface PollingOptions {
  readonly refresh: () => Promise<void>
  /** Whether the shown state may still change. */
  readonly mayChange: () => boolean
}

/** Polls with growing delays after a one-shot download, because the page gets no event when it ends. */
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
