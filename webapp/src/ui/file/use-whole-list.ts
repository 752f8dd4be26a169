import { ref, type Ref } from 'vue'
import { listen } from '../../base/browser/listen.ts'

/** With Ctrl or ⌘: select all, and find. */
const keys: readonly string[] = ['a', 'f']

const isInField = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null

/** Whether a list needs all of its rows: the browser prints the page, selects all of it, or searches it. */
export function useWholeList(): Ref<boolean> {
  const isWhole = ref(false)
  listen(window, 'beforeprint', () => {
    isWhole.value = true
  })
  listen(window, 'afterprint', () => {
    isWhole.value = false
  })
  listen(window, 'keydown', (event) => {
    const { key, ctrlKey, metaKey, defaultPrevented } = event
    if ((ctrlKey || metaKey) && keys.includes(key.toLowerCase()) && !defaultPrevented && !isInField(event))
      isWhole.value = true
  })
  return isWhole
}
