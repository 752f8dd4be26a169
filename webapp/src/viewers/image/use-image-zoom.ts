import { computed, nextTick, onMounted, onScopeDispose, ref, shallowRef, type Ref } from 'vue'
import { limitedZoom, maxZoom, zoomAbove, zoomBelow } from './zoom-steps.ts'

/** A point in the window. */
interface Point {
  readonly clientX: number
  readonly clientY: number
}

/** The share of a wheel's movement, in pixels, by which the zoom changes, and the most of one event. */
const wheelShare = 0.01
const maxWheel = 25

/**
 * The zoom of an image in a frame that scrolls. The point under the pointer, or the middle of the frame, stays where it is.
 * @param onStep after a step of a button, a key or a click, which is announced
 */
export function useImageZoom(
  frame: Readonly<Ref<HTMLElement | null>>,
  image: Readonly<Ref<HTMLImageElement | null>>,
  onStep: (shown: number) => void,
) {
  /** Undefined for the whole image. */
  const zoom = shallowRef<number>()
  const fitted = ref(0)
  const shown = computed(() => zoom.value ?? fitted.value)

  const resized = new ResizeObserver(() => {
    const { naturalWidth = 0, clientWidth = 0 } = image.value ?? {}
    if (zoom.value === undefined && naturalWidth > 0) fitted.value = clientWidth / naturalWidth
  })
  onMounted(() => {
    if (image.value) resized.observe(image.value)
  })
  onScopeDispose(() => {
    resized.disconnect()
  })

  function middle(box: HTMLElement): Point {
    const { left, top, width, height } = box.getBoundingClientRect()
    return { clientX: left + width / 2, clientY: top + height / 2 }
  }

  async function change(next: number | undefined, point?: Point): Promise<void> {
    const [box, picture] = [frame.value, image.value]
    if (!box || !picture || next === zoom.value) return
    const { clientX, clientY } = point ?? middle(box)
    const before = picture.getBoundingClientRect()
    const across = Math.min(1, Math.max(0, (clientX - before.left) / before.width))
    const along = Math.min(1, Math.max(0, (clientY - before.top) / before.height))
    zoom.value = next
    await nextTick()
    const after = picture.getBoundingClientRect()
    box.scrollLeft += after.left + across * after.width - clientX
    box.scrollTop += after.top + along * after.height - clientY
  }

  async function step(next: number | undefined, point?: Point): Promise<void> {
    await change(next, point)
    onStep(shown.value)
  }
  /** The size of its pixels, or twice that of an image that fits at this size. */
  const full = () => (fitted.value < 1 ? 1 : 2)

  return {
    zoom,
    shown,
    isLargest: computed(() => shown.value >= maxZoom),
    zoomIn: (point?: Point) => step(zoomAbove(shown.value), point),
    zoomOut: () => step(zoomBelow(shown.value, fitted.value)),
    /** @param from the zoom before */
    toggle: (from: number | undefined, point?: Point) => step(from === undefined ? full() : undefined, point),
    showWhole: () => step(undefined),
    /** To any size, for a wheel with Ctrl, which a pinch on a touchpad also is, and for two fingers. */
    zoomTo: (next: number, point: Point) => change(limitedZoom(next, fitted.value), point),
    zoomByWheel: (event: WheelEvent) => {
      const moved = Math.max(-maxWheel, Math.min(maxWheel, event.deltaY))
      return change(limitedZoom(shown.value * Math.exp(-moved * wheelShare), fitted.value), event)
    },
  }
}
