import { onScopeDispose } from 'vue'

/** Calls a function whenever the tab becomes visible, until the scope ends. */
export function onVisible(call: () => void): void {
  const callVisible = () => {
    if (document.visibilityState === 'visible') call()
  }
  document.addEventListener('visibilitychange', callVisible)
  onScopeDispose(() => {
    document.removeEventListener('visibilitychange', callVisible)
  })
}
