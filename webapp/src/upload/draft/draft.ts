import { onScopeDispose, ref, shallowRef } from 'vue'
import { defineStore } from '../../base/store.ts'
import { useSelectedFiles } from './selected-files.ts'
import type { PickedFile } from './picked-file.ts'
import type { UploadForm } from './upload-form.ts'

/** The initial values of a draft. */
export interface DraftDefaults {
  readonly form: UploadForm
  /** Whether the editor is open. */
  readonly writing: boolean
}

const createDraft = ({ form, writing }: DraftDefaults) => ({
  chosen: useSelectedFiles(),
  form: shallowRef(form),
  writing: ref(writing),
  /** Text of the editor that is not in the list; undefined while it is empty. */
  draft: shallowRef<PickedFile>(),
})

type Draft = ReturnType<typeof createDraft>

/**
 * The draft of an upload. It survives visits to other pages and the end of a session, but not the window: the browser asks
 * before it closes the window. Another user who signs in starts with an empty draft.
 */
export const useDraft = defineStore(() => {
  let kept: Draft | undefined
  let owner: string | undefined
  /** The user has agreed to lose the draft. */
  let isDiscardAllowed = false

  /** Whether closing the window would lose a draft. */
  const hasDraft = () =>
    kept !== undefined && (kept.chosen.files.value.length > 0 || kept.draft.value !== undefined)
  /** Removes the draft after it was sent, or after its owner has signed out. */
  const discardDraft = () => {
    kept = undefined
    owner = undefined
  }
  const confirmUnload = (event: BeforeUnloadEvent) => {
    if (hasDraft() && !isDiscardAllowed) event.preventDefault()
  }
  onScopeDispose(() => {
    removeEventListener('beforeunload', confirmUnload)
  })
  return {
    hasDraft,
    discardDraft,
    /** @param userID id of the signed-in user */
    openDraft: (userID: string | undefined, beginning: () => DraftDefaults): Draft => {
      if (owner !== undefined && userID !== undefined && owner !== userID) discardDraft()
      // A listener that is added again has no effect.
      addEventListener('beforeunload', confirmUnload)
      return (kept ??= createDraft(beginning()))
    },
    /** Sets the owner of the draft, once it is known. */
    claimDraft: (userID: string) => {
      owner ??= userID
    },
    /** Allows leaving this page without another question. The draft is still there when the page is restored. */
    allowDiscard: () => {
      isDiscardAllowed = true
      addEventListener('pageshow', () => (isDiscardAllowed = false), { once: true })
    },
  }
})
