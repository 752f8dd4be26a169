import { readonly, ref } from 'vue'
import { defineStore } from './store.ts'

/** Announces a text to screen readers without moving the focus. The shell has the live region. */
export const useAnnouncer = defineStore(() => {
  const announcement = ref('')
  const announce = (sentence: string) => {
    // Screen readers announce only changes, so a repeated text gets an invisible space.
    announcement.value = announcement.value === sentence ? `${sentence}\u00A0` : sentence
  }
  return { announcement: readonly(announcement), announce }
})
