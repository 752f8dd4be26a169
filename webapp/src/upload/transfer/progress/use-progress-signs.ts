import { onScopeDispose, watch } from 'vue'
import { usePageTitle } from '../../../base/use-page-title.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useProgressIcon } from './use-progress-icon.ts'

export interface ProgressSigns {
  readonly isActive: () => boolean
  /** From 0 to 1. */
  readonly done: () => number
  /** Number of files that are not uploaded. */
  readonly left: () => number
}

/** Only installed applications have a badge. */
const badges = () => navigator as Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>>

/** Shows progress outside of the page: in the title and icon of the tab, and at the icon of the installed application. */
export function useProgressSigns({ isActive, done, left }: ProgressSigns): void {
  const format = useFormat()
  const { progress } = usePageTitle()
  const showProgressIcon = useProgressIcon()
  const clear = () => {
    progress.value = ''
    showProgressIcon(undefined)
    badges()
      .clearAppBadge?.()
      .catch(() => undefined)
  }
  watch(
    () => (isActive() ? Math.floor(done() * 100) : undefined),
    (percent) => {
      if (percent === undefined) clear()
      else {
        progress.value = format.share(percent / 100)
        showProgressIcon(percent)
      }
    },
    { immediate: true },
  )
  watch(
    () => (isActive() ? left() : 0),
    (count) => {
      if (count > 0)
        badges()
          .setAppBadge?.(count)
          .catch(() => undefined)
    },
    { immediate: true },
  )
  onScopeDispose(clear)
}
