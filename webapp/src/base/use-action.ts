import { readonly, ref, shallowRef } from 'vue'

/**
 * An action of the user: one at a time, others are ignored meanwhile. Its error stays visible until the next action. Its
 * button has `aria-disabled` while it is busy, because a disabled button loses the focus (`ui/busy/busy-buttons.ts`).
 */
export function useAction() {
  const busy = ref(false)
  const failure = shallowRef<unknown>()
  /** @returns whether the action succeeded */
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
