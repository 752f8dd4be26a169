import { computed, readonly, ref, shallowRef, watch } from 'vue'
import { useRoute } from 'vue-router'
import { keyIn, markIn } from '../../encryption/link-key.ts'

/** Why the page asks for a key: there is none, or it did not open a file. */
export type KeyPromptReason = 'missing' | 'refused'

interface PendingPrompt {
  readonly question: KeyPromptReason
  readonly answer: (key: string | undefined) => void
}

/** The key of an encrypted upload, from the link or from the user. Only the memory of this page has it. */
export function useUploadKey() {
  const route = useRoute()
  const linked = ref(keyIn(location.hash))
  const key = ref(linked.value)
  const isRefused = ref(false)
  const mark = ref(markIn(location.hash))
  const prompt = shallowRef<PendingPrompt>()
  // The user has added the key to the address.
  watch(
    () => route.fullPath,
    () => {
      mark.value = markIn(location.hash) ?? mark.value
      const found = keyIn(location.hash)
      if (found === linked.value) return
      linked.value = found
      if (found !== undefined) use(found)
    },
  )
  const use = (newKey: string) => {
    key.value = newKey
    isRefused.value = false
  }
  const settle = (answer: string | undefined) => {
    const pending = prompt.value
    prompt.value = undefined
    if (answer !== undefined) use(answer)
    else if (pending?.question === 'refused') isRefused.value = true
    pending?.answer(answer)
  }
  return {
    key: readonly(key),
    /** Whether the user can enter a key: there is none, or the one there is did not open a file. */
    isAskable: computed(() => key.value === undefined || isRefused.value),
    /** The key of the address. Links to copy contain it, but not a key that was entered separately. */
    linkKey: computed(() => (linked.value === key.value ? linked.value : undefined)),
    /** The mark of the manifest in the address. */
    mark: readonly(mark),
    /** Whether the link is that of an encrypted upload. */
    isOfEncrypted: computed(() => key.value !== undefined || mark.value !== undefined),
    /** The question to the user, if any. */
    question: computed(() => prompt.value?.question),
    /**
     * Asks the user.
     * @returns undefined when the user cancels
     */
    ask: (question: KeyPromptReason): Promise<string | undefined> => {
      settle(undefined)
      return new Promise((answer) => {
        prompt.value = { question, answer }
      })
    },
    settle,
  }
}

export type UploadKey = ReturnType<typeof useUploadKey>
