import { computed, readonly, ref, shallowRef, watch } from 'vue'
import { useRoute } from 'vue-router'
import { keyIn } from '../../encryption/link-key.ts'

/** Why the page asks for a key: there is none, or it did not open a file. */
export type KeyPromptReason = 'missing' | 'refused'

interface Asking {
  readonly question: KeyPromptReason
  readonly answer: (key: string | undefined) => void
}

/** What opens the files of an encrypted upload: from the link, or from who looks. It is kept nowhere but in this page. */
export function useUploadKey() {
  const route = useRoute()
  const linked = ref(keyIn(location.hash))
  const key = ref(linked.value)
  const asking = shallowRef<Asking>()
  // The address was completed by hand.
  watch(
    () => route.fullPath,
    () => {
      const found = keyIn(location.hash)
      if (found === linked.value) return
      linked.value = found
      if (found !== undefined) key.value = found
    },
  )
  const settle = (given: string | undefined) => {
    const asked = asking.value
    asking.value = undefined
    if (given !== undefined) key.value = given
    asked?.answer(given)
  }
  return {
    key: readonly(key),
    /** The key that the address brought along: links to copy have it, too. A key that was entered separately is not added to links. */
    linkKey: computed(() => (linked.value === key.value ? linked.value : undefined)),
    /** What the person is asked, if anything. */
    question: computed(() => asking.value?.question),
    /** Asks the person. @returns undefined when they would rather not */
    ask: (question: KeyPromptReason): Promise<string | undefined> => {
      settle(undefined)
      return new Promise((answer) => {
        asking.value = { question, answer }
      })
    },
    settle,
  }
}

export type UploadKey = ReturnType<typeof useUploadKey>
