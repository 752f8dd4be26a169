import { formatDuration, formatMoment, formatSize } from './format.ts'
import { useLanguage } from './i18n.ts'

/** Sizes, lengths of time and dates in the language that is shown. */
export function useFormat() {
  const { language } = useLanguage()
  return {
    size: (bytes: number) => formatSize(bytes, language.value),
    duration: (seconds: number) => formatDuration(seconds, language.value),
    moment: (date: Date) => formatMoment(date, language.value),
  }
}
