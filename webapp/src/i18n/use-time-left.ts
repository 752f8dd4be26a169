import { useI18n } from 'vue-i18n'
import { useFormat } from './use-format.ts'

/**
 * When something expires, in the words of lists.
 * @returns a function of the expiry (RFC 3339, null for never) and of the time in ms since the epoch
 */
export function useTimeLeft() {
  const { t } = useI18n()
  const format = useFormat()
  return (expireAt: string | null, now: number): string =>
    expireAt === null
      ? t('list.forEver')
      : t('download.left', { time: format.roughDuration((Date.parse(expireAt) - now) / 1000) })
}
