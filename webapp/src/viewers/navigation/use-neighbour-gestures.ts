import { onScopeDispose, watch, type Ref } from 'vue'
import { swipeOf, type TouchPoint } from './swipe.ts'

export interface NeighbourGestures {
  readonly before: () => void
  readonly after: () => void
  readonly leave: () => void
}

/** Elements that handle these keys: text fields, players, dialogs. */
const ownKeys =
  'input, textarea, select, video, audio, [contenteditable="true"], [role="dialog"], [role="menu"]'

/** Whether keys belong to the element that has the focus. */
export const handlesKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(ownKeys) !== null

/** The direction of the language decides which side is next. */
const isReversed = () => getComputedStyle(document.documentElement).direction === 'rtl'

/** Whether a finger moves the content itself to the side: a long line, an enlarged picture, a player. */
function moves(target: EventTarget | null, within: Element): boolean {
  if (!(target instanceof Element) || target.closest('video, audio, iframe, input')) return true
  for (let element: Element | null = target; element !== null; element = element.parentElement) {
    const { overflowX } = getComputedStyle(element)
    if (overflowX !== 'visible' && overflowX !== 'hidden' && element.scrollWidth > element.clientWidth + 1)
      return true
    if (element === within) break
  }
  return false
}

/**
 * Arrow keys and swipes open the neighbouring files, in the reading direction; Escape returns to the list.
 * @param panel the element that shows the file
 */
export function useNeighbourGestures(
  panel: Readonly<Ref<HTMLElement | null>>,
  { before, after, leave }: NeighbourGestures,
): void {
  const stop = new AbortController()
  const { signal } = stop
  const go = (right: boolean) => {
    if (right === isReversed()) before()
    else after()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (handlesKeys(event.target)) return
    if (event.key === 'Escape') leave()
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') go(event.key === 'ArrowRight')
  }
  addEventListener('keydown', onKey, { signal })

  let start: TouchPoint | undefined
  const pointOf = (touch: Touch | undefined) => touch && { x: touch.clientX, y: touch.clientY }
  const begin = ({ touches, target, currentTarget }: TouchEvent) => {
    const isZoomed = (visualViewport?.scale ?? 1) > 1.01
    const isOwn = currentTarget instanceof Element && !isZoomed && touches.length === 1
    start = isOwn && !moves(target, currentTarget) ? pointOf(touches[0]) : undefined
  }
  const end = ({ changedTouches }: TouchEvent) => {
    const to = pointOf(changedTouches[0])
    const direction = start && to && swipeOf(start, to)
    start = undefined
    // The content moves with the finger: the next file comes from the other side.
    if (direction) go(direction === 'left')
  }
  watch(
    panel,
    (element) => {
      element?.addEventListener('touchstart', begin, { signal, passive: true })
      element?.addEventListener('touchend', end, { signal, passive: true })
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    stop.abort()
  })
}
