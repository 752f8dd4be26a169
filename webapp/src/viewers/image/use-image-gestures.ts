import { onScopeDispose, ref, type Ref } from 'vue'
import { handlesKeys } from '../navigation/use-neighbour-gestures.ts'
import type { useImageZoom } from './use-image-zoom.ts'

/** Pixels that a pressed mouse moves before it drags. */
const minDrag = 4
/** Pixels that an arrow key moves the image. */
const keyDistance = 80

const directions: Readonly<Record<string, readonly [left: number, top: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * Mouse, fingers and keys in the frame of an image. Arrow keys move an image that the visitor has enlarged; at its edge they
 * lead to the files beside it again.
 * @param isEnlarged whether the visitor has enlarged the image
 */
export function useImageGestures(
  frame: Readonly<Ref<HTMLElement | null>>,
  {
    zoom,
    shown,
    isLargest,
    zoomIn,
    zoomOut,
    toggle,
    showWhole,
    zoomTo,
    zoomByWheel,
  }: ReturnType<typeof useImageZoom>,
  isEnlarged: () => boolean,
) {
  const isDragging = ref(false)
  let pressed:
    { readonly x: number; readonly y: number; readonly left: number; readonly top: number } | undefined
  let hasDragged = false
  let zoomBeforeClick: number | undefined
  let pinch: { readonly distance: number; readonly zoom: number } | undefined

  function onKey(event: KeyboardEvent) {
    const { key, altKey, ctrlKey, metaKey, target } = event
    if (event.defaultPrevented || altKey || ctrlKey || metaKey || handlesKeys(target)) return
    if (key === '+' || key === '=') void zoomIn()
    else if (key === '-') void zoomOut()
    else if (isMoved(event)) event.preventDefault()
  }
  function isMoved({ key, shiftKey, repeat }: KeyboardEvent): boolean {
    const direction = directions[key]
    const box = frame.value
    if (!direction || !box || shiftKey || !isEnlarged()) return false
    const { scrollLeft, scrollTop } = box
    box.scrollBy(direction[0] * keyDistance, direction[1] * keyDistance)
    return repeat || box.scrollLeft !== scrollLeft || box.scrollTop !== scrollTop
  }
  // Before the keys of the files beside it, which leave out what is handled.
  addEventListener('keydown', onKey, { capture: true })
  onScopeDispose(() => {
    removeEventListener('keydown', onKey, { capture: true })
  })

  /** The middle of two fingers, and the pixels between them. */
  function fingers({ touches: [first, second] }: TouchEvent) {
    if (!first || !second) return undefined
    return {
      clientX: (first.clientX + second.clientX) / 2,
      clientY: (first.clientY + second.clientY) / 2,
      distance: Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY),
    }
  }

  function release() {
    pressed = undefined
    isDragging.value = false
  }
  const listeners = {
    click: (event: MouseEvent) => {
      if (hasDragged || event.detail > 1) return
      zoomBeforeClick = zoom.value
      void (isLargest.value ? showWhole() : zoomIn(event))
    },
    dblclick: (event: MouseEvent) => void toggle(zoomBeforeClick, event),
    wheel: (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      void zoomByWheel(event)
    },
    pointerdown: ({ pointerType, button, clientX: x, clientY: y }: PointerEvent) => {
      hasDragged = false
      const box = frame.value
      // Fingers scroll by themselves.
      if (pointerType === 'mouse' && button === 0 && box)
        pressed = { x, y, left: box.scrollLeft, top: box.scrollTop }
    },
    pointermove: ({ pointerId, buttons, clientX, clientY }: PointerEvent) => {
      const box = frame.value
      // The button was released where the page did not notice it.
      if (buttons === 0) release()
      if (!pressed || !box) return
      const [across, along] = [clientX - pressed.x, clientY - pressed.y]
      if (!isDragging.value && Math.hypot(across, along) < minDrag) return
      if (!isDragging.value) box.setPointerCapture(pointerId)
      isDragging.value = true
      hasDragged = true
      box.scrollTo(pressed.left - across, pressed.top - along)
    },
    pointerup: release,
    pointercancel: release,
    touchstart: (event: TouchEvent) => {
      const two = fingers(event)
      pinch = two && { distance: two.distance, zoom: shown.value }
    },
    touchmove: (event: TouchEvent) => {
      const two = fingers(event)
      if (!two || !pinch) return
      event.preventDefault()
      void zoomTo((pinch.zoom * two.distance) / pinch.distance, two)
    },
  }
  return { isDragging, listeners }
}
