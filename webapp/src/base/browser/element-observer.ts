export interface ElementObserver {
  /**
   * Watches an element.
   * @param onChange called with whether the element intersects the area
   * @returns ends the observation
   */
  readonly observe: (element: Element, onChange: (isInside: boolean) => void) => () => void
  readonly disconnect: () => void
}

/**
 * Observes many elements with one `IntersectionObserver`, because one for each of thousands of elements blocks the page.
 * @param root the element that scrolls; null for the window
 * @param margin enlarges or shrinks its visible area, as in `IntersectionObserverInit.rootMargin`
 */
export function createElementObserver(root: Element | null, margin: string): ElementObserver {
  const listeners = new Map<Element, (isInside: boolean) => void>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { root, rootMargin: margin },
  )
  return {
    observe: (element, onChange) => {
      listeners.set(element, onChange)
      observer.observe(element)
      return () => {
        listeners.delete(element)
        observer.unobserve(element)
      }
    },
    disconnect: () => {
      observer.disconnect()
    },
  }
}
