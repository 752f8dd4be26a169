import { computed, shallowRef } from 'vue'

/** The selected rows of a page. Rows that leave the page are no longer selected. */
export function createSelection(idsOnPage: () => readonly string[]) {
  const marked = shallowRef<ReadonlySet<string>>(new Set())
  const chosen = computed(() => idsOnPage().filter((id) => marked.value.has(id)))
  const all = computed(() => idsOnPage().length > 0 && chosen.value.length === idsOnPage().length)
  return {
    /** In the order of the page. */
    chosen,
    /** Whether every row is selected. */
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
