import { computed, ref } from 'vue'
import { defineStore } from './store.ts'

/** The title of the tab and the history: the text of the heading, after the progress of an upload. */
export const usePageTitle = defineStore(() => {
  const heading = ref('')
  /** Such as 42%; empty when nothing is in progress. */
  const progress = ref('')
  const title = computed(() => [progress.value, heading.value].filter((part) => part !== '').join(' · '))
  return { title, heading, progress }
})
