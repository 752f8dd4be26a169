import { computed, ref } from 'vue'

const heading = ref('')
const progress = ref('')

/** The title of the tab and the history: the text of the heading, after the progress of an upload. */
export const pageTitle = computed(() =>
  [progress.value, heading.value].filter((part) => part !== '').join(' · '),
)

export function titlePage(words: string): void {
  heading.value = words
}

/** @param words such as 42%; empty when nothing is in progress */
export function titleWithProgress(words: string): void {
  progress.value = words
}
