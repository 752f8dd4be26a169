import { onScopeDispose } from 'vue'
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router'
import { useI18n } from 'vue-i18n'
import { useConfirmation } from '../ui/use-confirmation.ts'

/** Asks before the page is left or closed while files are on their way. */
export function useLeaveWarning(isBusy: () => boolean) {
  const { t } = useI18n()
  const { confirm } = useConfirmation()
  const warn = (event: BeforeUnloadEvent) => {
    if (isBusy()) event.preventDefault()
  }
  const mayLeave = () =>
    !isBusy() ||
    confirm({ heading: t('leave.title'), text: t('leave.text'), confirm: t('leave.confirm'), danger: true })
  addEventListener('beforeunload', warn)
  onScopeDispose(() => {
    removeEventListener('beforeunload', warn)
  })
  onBeforeRouteLeave(mayLeave)
  onBeforeRouteUpdate(mayLeave)
}
