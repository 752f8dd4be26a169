import { computed, onScopeDispose, ref } from 'vue'
import { serverNow } from './server-clock.ts'

/**
 * A ref with the server's time, in ms since the epoch.
 * @param interval ms between updates
 */
export function useNow(interval: number) {
  const here = ref(Date.now())
  const timer = setInterval(() => {
    here.value = Date.now()
  }, interval)
  onScopeDispose(() => {
    clearInterval(timer)
  })
  return computed(() => serverNow(here.value))
}
