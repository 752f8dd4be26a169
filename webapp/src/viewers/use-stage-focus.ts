import { nextTick, onMounted, onUnmounted, type Ref } from 'vue'

/**
 * Takes the focus that the link to the viewer had. When the viewer is closed, the focus goes to the link of the last file.
 * @param linkOfFile address (`href`) of the shown file in the viewer
 */
export function useStageFocus(stage: Readonly<Ref<HTMLElement | null>>, linkOfFile: () => string): void {
  onMounted(() => {
    if (document.activeElement === document.body) stage.value?.focus({ preventScroll: true })
  })
  onUnmounted(() => {
    const address = linkOfFile()
    void nextTick(() => {
      const links = [...document.querySelectorAll('a')].filter(
        (link) => link.tabIndex >= 0 && link.getAttribute('href') === address,
      )
      links[0]?.focus()
    })
  })
}
