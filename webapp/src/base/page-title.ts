import { readonly, ref } from 'vue'

const heading = ref('')

/** Sets the title of the tab and the history to the text of the heading. */
export const pageTitle = readonly(heading)

export function titlePage(words: string): void {
  heading.value = words
}
