import { onScopeDispose, readonly, ref } from 'vue'

/**
 * The time, in ms since the epoch, as a ref that moves on.
 * @param interval ms between two looks at the clock
 */
export function useNow(interval: number) {
  const now = ref(Date.now())
  const timer = setInterval(() => {
    now.value = Date.now()
  }, interval)
  onScopeDispose(() => {
    clearInterval(timer)
  })
  return readonly(now)
}
