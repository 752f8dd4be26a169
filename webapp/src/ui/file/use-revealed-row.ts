import { nextTick, shallowRef } from 'vue'
import { defineStore } from '../../base/store.ts'

/** The row that a long list has although it is outside of the window, so that it can get the focus. */
export const useRevealedRow = defineStore(() => {
  const revealed = shallowRef<string>()
  return {
    revealed,
    /**
     * @param key of the row
     * @param use brings the row into the window
     */
    reveal: async (key: string, use: () => void): Promise<void> => {
      revealed.value = key
      await nextTick()
      use()
      // The lists know the new place of the window from the event before this frame.
      requestAnimationFrame(() => {
        if (revealed.value === key) revealed.value = undefined
      })
    },
  }
})
