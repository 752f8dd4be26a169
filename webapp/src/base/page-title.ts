import { readonly, ref } from 'vue'

const heading = ref('')

/** What the page is about, for the tab and the history: the words of its heading. */
export const pageTitle = readonly(heading)

export function titlePage(words: string): void {
  heading.value = words
}
