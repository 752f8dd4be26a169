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
  /** @returns whether nothing is lost any more: then the answer is yes */
  readonly run: () => boolean | Promise<boolean>
}

interface Asked extends Question {
  readonly answer: (yes: boolean) => void
}

/** One question at a time; the shell shows it. */
export const useConfirmation = defineStore(() => {
  const asked = shallowRef<Asked>()
  /** Resolves to whether the user confirmed. */
  const confirm = (question: Question): Promise<boolean> => {
    asked.value?.answer(false)
    return new Promise((resolve) => {
      asked.value = {
        ...question,
        answer: (yes) => {
          asked.value = undefined
          resolve(yes)
        },
      }
    })
  }
  return { asked, confirm }
})
