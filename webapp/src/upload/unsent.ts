import { ref, shallowRef } from 'vue'
import { useChosenFiles } from './chosen-files.ts'
import type { PickedFile } from './picked-file.ts'
import type { UploadForm } from './upload-form.ts'

/** What a page of new files begins with. */
export interface Beginning {
  readonly form: UploadForm
  /** The editor is open. */
  readonly writing: boolean
}

const begin = ({ form, writing }: Beginning) => ({
  chosen: useChosenFiles(),
  form: shallowRef(form),
  writing: ref(writing),
  /** What stands in the editor and not in the list; undefined while there is nothing. */
  draft: shallowRef<PickedFile>(),
})

type Unsent = ReturnType<typeof begin>

let kept: Unsent | undefined
let owner: string | undefined
/** Whoever goes has agreed to lose it. */
let isAgreed = false

const ask = (event: BeforeUnloadEvent) => {
  if (hasUnsent() && !isAgreed) event.preventDefault()
}

/**
 * What somebody has put together and not sent, as long as this window is open: another page may be looked at meanwhile,
 * and a session that ends may be begun anew. Another person who logs in here begins with nothing. The browser asks before
 * the window goes.
 * @param userID of who is logged in
 */
export function takeUpUnsent(userID: string | undefined, beginning: () => Beginning): Unsent {
  if (owner !== undefined && userID !== undefined && owner !== userID) forgetUnsent()
  // The same function is added but once.
  addEventListener('beforeunload', ask)
  return (kept ??= begin(beginning()))
}

/** Says whose it is, as soon as that is known. */
export function claimUnsent(userID: string): void {
  owner ??= userID
}

/** Whether anything would be lost with this window. */
export function hasUnsent(): boolean {
  return kept !== undefined && (kept.chosen.files.value.length > 0 || kept.draft.value !== undefined)
}

/** Lets it go with this page without a question more. Whoever comes back to the page as it was left finds it. */
export function agreeToLoseUnsent(): void {
  isAgreed = true
  addEventListener('pageshow', () => (isAgreed = false), { once: true })
}

/** It was sent, or is nobody's any more. */
export function forgetUnsent(): void {
  kept = undefined
  owner = undefined
}
