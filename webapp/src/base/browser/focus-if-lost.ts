import { nextTick } from 'vue'

/**
 * Moves the focus where the element that had it disappears with the next change of the page.
 * @param target what gets the focus then
 */
export async function focusIfLost(target: () => { readonly focus: () => void } | null): Promise<void> {
  await nextTick()
  if (document.activeElement === document.body) target()?.focus()
}
