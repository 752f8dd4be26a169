import { watch } from 'vue'
import { onBeforeRouteLeave, onBeforeRouteUpdate, type RouteLocationNormalized } from 'vue-router'
import { useI18n } from 'vue-i18n'
import { listen } from '../../base/browser/listen.ts'
import { useConfirmation, type Remedy } from './use-confirmation.ts'

const isSamePage = (to: RouteLocationNormalized, from: RouteLocationNormalized) =>
  to.path === from.path && to.query['id'] === from.query['id']

const questions = {
  sending: { heading: 'leave.title', text: 'leave.text', confirm: 'leave.confirm' },
  decrypting: {
    heading: 'encrypted.leave.title',
    text: 'encrypted.leave.text',
    confirm: 'encrypted.leave.confirm',
  },
  downloading: { heading: 'saving.leave.title', text: 'encrypted.leave.text', confirm: 'leave.confirm' },
  unsavedKey: {
    heading: 'requestKey.keyUnsaved',
    text: 'requestKey.notStored',
    confirm: 'leaveUncopied.confirm',
  },
  uncopied: { heading: 'leaveUncopied.title', text: 'leaveUncopied.text', confirm: 'leaveUncopied.confirm' },
} as const

/** Preloads the dialog, because it may be needed when the connection is down or busy with uploads. */
export function loadLeaveQuestion(): void {
  import('./ConfirmationDialog.vue').catch(() => undefined)
}

export interface LeaveOptions {
  /** Whether nothing is lost on the way to another page. */
  readonly isKept?: (to: RouteLocationNormalized) => boolean
  readonly remedy?: () => Remedy
}

/**
 * Asks before the page is left or closed during transfers, or before the only link is lost.
 * @returns whether the page may be left, after the question
 */
export function useLeaveWarning(
  isBusy: () => boolean,
  doing: keyof typeof questions,
  { isKept = () => false, remedy }: LeaveOptions = {},
) {
  const question = questions[doing]
  const { t } = useI18n()
  const { confirm } = useConfirmation()
  const ask = () =>
    confirm({
      heading: t(question.heading),
      text: t(question.text),
      confirm: t(question.confirm),
      danger: remedy === undefined,
      remedy: remedy?.(),
    })
  const mayLeave = (to: RouteLocationNormalized, from: RouteLocationNormalized) =>
    !isBusy() || isSamePage(to, from) || isKept(to) || ask()
  watch(isBusy, (busy) => {
    if (busy) loadLeaveQuestion()
  })
  listen(window, 'beforeunload', (event) => {
    if (isBusy()) event.preventDefault()
  })
  onBeforeRouteLeave(mayLeave)
  onBeforeRouteUpdate(mayLeave)
  return async (): Promise<boolean> => !isBusy() || (await ask())
}
