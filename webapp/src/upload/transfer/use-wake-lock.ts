import { onScopeDispose, watch } from 'vue'

/** Keeps the screen of a phone on while files are in transfer: a locked phone pauses the page. */
export function useWakeLock(isBusy: () => boolean): void {
  const { wakeLock } = navigator as { readonly wakeLock?: WakeLock }
  let sentinel: WakeLockSentinel | undefined
  const isWanted = () => isBusy() && document.visibilityState === 'visible'
  const release = () => {
    sentinel?.release().catch(() => undefined)
    sentinel = undefined
  }
  const follow = async () => {
    if (!isWanted()) {
      release()
      return
    }
    // The browser releases it while the page is hidden.
    if (sentinel && !sentinel.released) return
    // A phone that saves its battery refuses it.
    sentinel = await wakeLock?.request('screen').catch(() => undefined)
    if (!isWanted()) release()
  }
  const onChange = () => void follow()
  const stop = watch(isBusy, onChange, { immediate: true })
  document.addEventListener('visibilitychange', onChange)
  onScopeDispose(() => {
    stop()
    document.removeEventListener('visibilitychange', onChange)
    release()
  })
}
