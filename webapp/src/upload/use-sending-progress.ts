import { computed, onScopeDispose, ref, watch } from 'vue'
import { createSpeedMeter, secondsLeft } from './speed-meter.ts'
import { isUnfinished, type Transfer } from './transfer.ts'

const lookInterval = 500

/** How far all files are together: bytes, a calm speed (bytes per second) and the seconds that are left. */
export function useSendingProgress(transfers: () => readonly Transfer[]) {
  const sum = (of: (transfer: Transfer) => number) => transfers().reduce((total, one) => total + of(one), 0)
  const total = computed(() => sum(({ size }) => size))
  const sent = computed(() => sum((one) => (one.state.kind === 'cancelled' ? 0 : one.sent)))
  const unsent = computed(() => sum((one) => (isUnfinished(one) ? one.size - one.sent : 0)))
  const active = computed(() => transfers().some(isUnfinished))
  const sentFiles = computed(() => transfers().filter(({ state }) => state.kind === 'sent').length)
  const done = computed(() => (total.value === 0 ? Number(!active.value) : sent.value / total.value))

  const speed = ref(0)
  let meter = createSpeedMeter()
  const timer = setInterval(() => {
    if (active.value) speed.value = meter.look(Date.now(), sent.value)
  }, lookInterval)
  watch(active, (isActive) => {
    if (isActive) meter = createSpeedMeter()
  })
  onScopeDispose(() => {
    clearInterval(timer)
  })
  const left = computed(() => secondsLeft(unsent.value, speed.value))
  return { total, sent, sentFiles, active, done, speed, left }
}
