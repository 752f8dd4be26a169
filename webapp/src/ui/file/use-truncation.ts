import { nextTick, onMounted, onScopeDispose, ref, watch, type Ref } from 'vue'
import { defineStore } from '../../base/store.ts'

/** One observer for the sizes of all names. */
const useSizes = defineStore(() => {
  const listeners = new Map<Element, () => void>()
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) listeners.get(target)?.()
  })
  onScopeDispose(() => {
    observer.disconnect()
  })
  return {
    /** @returns ends the observation */
    observe: (element: Element, onResize: () => void) => {
      listeners.set(element, onResize)
      observer.observe(element)
      return () => {
        listeners.delete(element)
        observer.unobserve(element)
      }
    },
  }
})

/** Pixels. Smaller differences come from rounding. */
const tolerance = 0.01
const widthOf = (measured: Element | Range) => measured.getBoundingClientRect().width

/** A text that is wider than its box by a fraction of a pixel is cut, too. Other widths of elements are rounded. */
function isCut(text: Element): boolean {
  const content = document.createRange()
  content.selectNodeContents(text)
  return widthOf(content) > widthOf(text) + tolerance
}

/**
 * Whether a name is too long for its space. A shorter one is one text, so that it is read and copied as one word.
 * @param name a name without an end is never truncated
 */
export function useTruncation(
  element: Readonly<Ref<HTMLElement | null>>,
  name: () => { readonly end: readonly string[] },
): Ref<boolean> {
  const { observe } = useSizes()
  const isTruncated = ref(false)
  /** The width that was too small for the whole name, in pixels. */
  let tooSmall = 0
  const set = (next: boolean) => {
    const isWholeAgain = isTruncated.value && !next
    isTruncated.value = next
    // The whole name may be a little wider than its parts, and its box does not change its size.
    if (isWholeAgain) void nextTick(check)
  }
  const check = () => {
    const start = element.value?.querySelector('.start')
    if (!element.value || !start || name().end.length === 0) return
    const width = widthOf(element.value)
    const isFull = isCut(start)
    if (isFull && !isTruncated.value) tooSmall = width
    // Parts can be narrower than the whole: without a wider space, the name would change its shape for ever.
    if (isFull || width > tooSmall + tolerance) set(isFull)
  }
  let end: (() => void) | undefined
  onMounted(() => {
    if (element.value) end = observe(element.value, check)
  })
  onScopeDispose(() => {
    end?.()
  })
  watch(name, async () => {
    isTruncated.value = false
    await nextTick()
    check()
  })
  return isTruncated
}
