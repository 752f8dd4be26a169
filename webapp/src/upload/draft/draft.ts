import { ref, shallowRef } from 'vue'
import { useSelectedFiles } from './selected-files.ts'
import type { PickedFile } from './picked-file.ts'
import type { UploadForm } from './upload-form.ts'

/** What a page of new files begins with. */
export interface DraftDefaults {
  readonly form: UploadForm
  /** The editor is open. */
  readonly writing: boolean
}

const createDraft = ({ form, writing }: DraftDefaults) => ({
  chosen: useSelectedFiles(),
  form: shallowRef(form),
  writing: ref(writing),
  /** What stands in the editor and not in the list; undefined while there is nothing. */
  draft: shallowRef<PickedFile>(),
})

type Draft = ReturnType<typeof createDraft>

let kept: Draft | undefined
let owner: string | undefined
/** The user has agreed to lose the draft. */
let isDiscardAllowed = false

const confirmUnload = (event: BeforeUnloadEvent) => {
  if (hasDraft() && !isDiscardAllowed) event.preventDefault()
}

/**
 * The draft of an upload, as long as this window is open: it survives visits to other pages,
 * and the end of a session. Another user who signs in here starts with an empty draft. The browser asks before
 * the window goes.
 * @param userID of who is logged in
 */
export function openDraft(userID: string | undefined, beginning: () => DraftDefaults): Draft {
  if (owner !== undefined && userID !== undefined && owner !== userID) discardDraft()
  // The same function is added but once.
  addEventListener('beforeunload', confirmUnload)
  return (kept ??= createDraft(beginning()))
}

/** Says whose it is, as soon as that is known. */
export function claimDraft(userID: string): void {
  owner ??= userID
}

/** Whether anything would be lost with this window. */
export function hasDraft(): boolean {
  return kept !== undefined && (kept.chosen.files.value.length > 0 || kept.draft.value !== undefined)
}

/** Allows leaving this page without another question. The draft is still there when the page is restored. */
export function allowDiscard(): void {
  isDiscardAllowed = true
  addEventListener('pageshow', () => (isDiscardAllowed = false), { once: true })
}

/** It was sent, or its owner has signed out. */
export function discardDraft(): void {
  kept = undefined
  owner = undefined
}
