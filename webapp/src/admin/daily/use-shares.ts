import { countedOptions, type DailyStats } from '@svc/contract'
import { computed, type ComputedRef } from 'vue'
import { useI18n } from 'vue-i18n'
import { useFormat } from '../../i18n/use-format.ts'

/** Files and uploads of a period by size and options, as shares of all. */
export function useShares(stats: ComputedRef<DailyStats | undefined>) {
  const { t } = useI18n()
  const format = useFormat()

  /**
   * Names consecutive classes by their upper limits.
   * @param ends null for the last class, which has no limit
   */
  const between = (ends: readonly (number | null)[], index: number, written: (value: number) => string) => {
    const [least, most] = [ends[index - 1] ?? null, ends[index] ?? null]
    if (most === null) return t('daily.above', { least: written(least ?? 0) })
    if (least === null) return t('daily.below', { most: written(most) })
    return t('daily.between', { least: written(least), most: written(most) })
  }

  return computed(() => {
    if (stats.value === undefined) return []
    const { days, fileSizes, ttls, options } = stats.value
    const sizes = fileSizes.map(({ below }) => below)
    const lives = ttls.map(({ atMost }) => atMost)
    return [
      {
        title: t('daily.fileSizes'),
        total: days.reduce((sum, { files }) => sum + files, 0),
        shares: fileSizes.map(({ files }, index) => ({
          label: between(sizes, index, format.size),
          count: files,
        })),
      },
      {
        title: t('daily.ttls'),
        total: days.reduce((sum, { uploads }) => sum + uploads, 0),
        shares: ttls.map(({ uploads }, index) => ({
          label: between(lives, index, format.roughDuration),
          count: uploads,
        })),
      },
      {
        title: t('daily.options'),
        total: days.reduce((sum, { uploads }) => sum + uploads, 0),
        shares: countedOptions.map((name) => ({ label: t(`badge.${name}`), count: options[name] })),
      },
    ]
  })
}
