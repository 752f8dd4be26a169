import type { UploadQueue } from '@svc/sdk'
import { computed, onScopeDispose, shallowRef, watch } from 'vue'

const paceInterval = 500
/** ms. Hundreds of small files arrive in a second: drawing each of them would take longer than sending it. */
const drawInterval = 100

/** Progress of all files: bytes, smoothed speed (bytes per second) and remaining seconds. */
export function useUploadProgress(queue: Pick<UploadQueue, 'tally' | 'progress'>) {
  const totals = computed(() => queue.tally())
  /** The totals as they are drawn: late by the interval at most, and exact while nothing is being sent. */
  const drawn = shallowRef(totals.value)
  let drawing: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    clearTimeout(drawing)
    drawing = undefined
    drawn.value = totals.value
  }
  watch(
    totals,
    ({ isActive }) => {
      if (!isActive || !drawn.value.isActive) draw()
      else drawing ??= setTimeout(draw, drawInterval)
    },
    { flush: 'sync' },
  )
  const done = computed(() => {
    const { total, sent, isActive } = drawn.value
    return total === 0 ? Number(!isActive) : sent / total
  })
  const pace = shallowRef(queue.progress())
  const timer = setInterval(() => {
    if (totals.value.isActive) pace.value = queue.progress()
  }, paceInterval)
  onScopeDispose(() => {
    clearInterval(timer)
    clearTimeout(drawing)
  })
  return { totals, drawn, done, pace }
}
