import { readonly, ref } from 'vue'

const announcement = ref('')

/** What screen readers say next, without moving the focus. The shell holds the live region. */
export function useAnnouncer() {
  const announce = (sentence: string) => {
    // Only what changes is said: a repeated text gets an invisible space.
    announcement.value = announcement.value === sentence ? `${sentence}\u00A0` : sentence
  }
  return { announcement: readonly(announcement), announce }
}
