import { onScopeDispose } from 'vue'

export interface ArrowKeyHandlers {
  readonly before: () => void
  readonly after: () => void
  readonly leave: () => void
}

/** Elements that handle these keys: text fields, players, dialogs. */
const ownKeys =
  'input, textarea, select, video, audio, [contenteditable="true"], [role="dialog"], [role="menu"]'

/** Arrow keys open the neighbouring files, in the reading direction; Escape returns to the list. */
export function useArrowKeys({ before, after, leave }: ArrowKeyHandlers): void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.target instanceof Element && event.target.closest(ownKeys)) return
    if (event.key === 'Escape') leave()
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const isReversed = getComputedStyle(document.documentElement).direction === 'rtl'
    if ((event.key === 'ArrowRight') === isReversed) before()
    else after()
  }
  addEventListener('keydown', onKey)
  onScopeDispose(() => {
    removeEventListener('keydown', onKey)
  })
}
