import { onScopeDispose } from 'vue'
import { onBeforeRouteLeave, onBeforeRouteUpdate, type RouteLocationNormalized } from 'vue-router'
import { useI18n } from 'vue-i18n'
import { useConfirmation } from '../ui/use-confirmation.ts'

const isSamePage = (to: RouteLocationNormalized, from: RouteLocationNormalized) =>
  to.path === from.path && to.query['id'] === from.query['id']

/**
 * Asks before the page is left or closed while files are on their way.
 * @param words where its texts are
 */
export function useLeaveWarning(isBusy: () => boolean, words: 'leave' | 'encrypted.leave' = 'leave') {
  const { t } = useI18n()
  const { confirm } = useConfirmation()
  const warn = (event: BeforeUnloadEvent) => {
    if (isBusy()) event.preventDefault()
  }
  const mayLeave = (to: RouteLocationNormalized, from: RouteLocationNormalized) =>
    !isBusy() ||
    isSamePage(to, from) ||
    confirm({
      heading: t(`${words}.title`),
      text: t(`${words}.text`),
      confirm: t(`${words}.confirm`),
      danger: true,
    })
  addEventListener('beforeunload', warn)
  onScopeDispose(() => {
    removeEventListener('beforeunload', warn)
  })
  onBeforeRouteLeave(mayLeave)
  onBeforeRouteUpdate(mayLeave)
}
