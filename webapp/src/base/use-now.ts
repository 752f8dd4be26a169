import { computed, onScopeDispose, ref } from 'vue'
import { useServerClock } from './use-server-clock.ts'

/**
 * A ref with the server's time, in ms since the epoch.
 * @param interval ms between updates
 */
export function useNow(interval: number) {
  const { serverNow } = useServerClock()
  const here = ref(Date.now())
  const timer = setInterval(() => {
    here.value = Date.now()
  }, interval)
  onScopeDispose(() => {
    clearInterval(timer)
  })
  return computed(() => serverNow(here.value))
}
