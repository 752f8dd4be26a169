import { computed, shallowRef } from 'vue'

/** Which rows of a page are chosen; what is no longer on the page is not chosen either. */
export function createSelection(idsOnPage: () => readonly string[]) {
  const marked = shallowRef<ReadonlySet<string>>(new Set())
  const chosen = computed(() => idsOnPage().filter((id) => marked.value.has(id)))
  const all = computed(() => idsOnPage().length > 0 && chosen.value.length === idsOnPage().length)
  return {
    /** In the order of the page. */
    chosen,
    /** Whether every row is chosen. */
    all,
    has: (id: string) => marked.value.has(id),
    set: (id: string, on: boolean) => {
      const next = new Set(marked.value)
      if (on) next.add(id)
      else next.delete(id)
      marked.value = next
    },
    setAll: (on: boolean) => {
      marked.value = new Set(on ? idsOnPage() : [])
    },
    clear: () => {
      marked.value = new Set()
    },
  }
}
