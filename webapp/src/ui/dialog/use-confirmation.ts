import { shallowRef } from 'vue'
import { defineStore } from '../../base/store.ts'

/** A question before an action that cannot be undone. */
export interface Question {
  readonly heading: string
  readonly text: string
  /** Text of the confirming button. */
  readonly confirm: string
  readonly danger: boolean
  /** What saves the user from a loss. */
  readonly remedy?: Remedy | undefined
}

export interface Remedy {
  readonly label: string
  /** @returns whether nothing is lost any more: then the answer is yes; otherwise, the question stays, with `failure` */
  readonly run: () => boolean | Promise<boolean>
  /** The sentence that says that it has failed. */
  readonly failure?: string
}

interface PendingQuestion extends Question {
  readonly answer: (yes: boolean) => void
}

/** One question at a time; the shell shows it. */
export const useConfirmation = defineStore(() => {
  const pending = shallowRef<PendingQuestion>()
  /** Resolves to whether the user confirmed. */
  const confirm = (question: Question): Promise<boolean> => {
    pending.value?.answer(false)
    return new Promise((resolve) => {
      pending.value = {
        ...question,
        answer: (yes) => {
          pending.value = undefined
          resolve(yes)
        },
      }
    })
  }
  return { pending, confirm }
})
