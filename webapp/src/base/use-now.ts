import { computed, onScopeDispose, ref } from 'vue'
import { serverNow } from './server-clock.ts'

/**
 * The time of the server, in ms since the epoch, as a ref that moves on.
 * @param interval ms between two looks at the clock
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
