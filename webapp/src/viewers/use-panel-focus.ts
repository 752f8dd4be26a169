import { onMounted, onUnmounted, type Ref } from 'vue'
import { useRevealedRow } from '../ui/file/use-revealed-row.ts'

/**
 * Takes the focus that the link to the viewer had. When the viewer is closed, the focus goes to the link of the last file, to
 * the closed folder with it, or to the heading of a page that no longer has the file.
 * @param shown the file, its name, and its address (`href`) in the viewer
 */
export function usePanelFocus(
  panel: Readonly<Ref<HTMLElement | null>>,
  shown: () => { readonly id: string; readonly name: string; readonly address: string },
): void {
  const { reveal } = useRevealedRow()
  onMounted(() => {
    if (document.activeElement === document.body) panel.value?.focus({ preventScroll: true })
  })
  onUnmounted(() => {
    const { id, name, address } = shown()
    void reveal(id, () => {
      const link = all('a').find(
        (candidate) => candidate.tabIndex >= 0 && candidate.getAttribute('href') === address,
      )
      const folder = all('[data-folder]').findLast(({ dataset }) => name.startsWith(dataset['folder'] ?? ''))
      const [heading] = all('h1')
      ;(link ?? folder ?? heading)?.focus()
    })
  })
}

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
