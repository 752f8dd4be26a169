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
  const check = () => {
    const start = element.value?.querySelector('.start')
    if (!element.value || !start || name().end.length === 0) return
    const { clientWidth } = element.value
    const isFull = start.scrollWidth > start.clientWidth
    if (isFull && !isTruncated.value) tooSmall = clientWidth
    // Parts can be narrower than the whole: without a wider space, the name would change its shape for ever.
    if (isFull || clientWidth > tooSmall) isTruncated.value = isFull
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
