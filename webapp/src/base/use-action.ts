import { readonly, ref, shallowRef } from 'vue'

/** Something that a person sets off and waits for: one at a time, and its failure stays in sight until the next. */
export function useAction() {
  const busy = ref(false)
  const failure = shallowRef<unknown>()
  /** @returns whether it was done */
  const run = async (action: () => Promise<unknown>): Promise<boolean> => {
    if (busy.value) return false
    busy.value = true
    failure.value = undefined
    try {
      await action()
      return true
    } catch (error) {
      failure.value = error
      return false
    } finally {
      busy.value = false
    }
  }
  return { busy: readonly(busy), failure, run }
}
