import { readonly, ref } from 'vue'

const announcement = ref('')

/** What screen readers say next, without moving the focus. The shell holds the live region. */
export function useAnnouncer() {
  const announce = (sentence: string) => {
    announcement.value = sentence
  }
  return { announcement: readonly(announcement), announce }
}
