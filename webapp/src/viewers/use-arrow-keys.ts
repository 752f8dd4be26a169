import { onScopeDispose } from 'vue'

export interface ArrowKeyHandlers {
  readonly before: () => void
  readonly after: () => void
  readonly leave: () => void
}

/** Elements that have a use for these keys themselves: text is written, a player seeks, a dialog closes. */
const ownKeys =
  'input, textarea, select, video, audio, [contenteditable="true"], [role="dialog"], [role="menu"]'

/** Arrow keys turn to the files beside, in the direction that one reads; Escape goes back to all. */
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
