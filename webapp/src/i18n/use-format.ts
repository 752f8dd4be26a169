import type { Page } from '@svc/contract'
import {
  formatDuration,
  formatList,
  formatDateTime,
  formatRoughDuration,
  formatShare,
  formatShortDateTime,
  formatSize,
  formatTimeLeft,
  formatUtcDay,
} from './format.ts'
import { useLanguage } from './i18n.ts'

/** Sizes, durations and dates in the current language. */
export function useFormat() {
  const { language } = useLanguage()
  /** Dates have the format of the user's region: 21/11 or 11/21. */
  const region = () =>
    navigator.languages.find((tag) => tag.split('-')[0] === language.value) ?? language.value
  const number = (count: number) => new Intl.NumberFormat(language.value).format(count)
  return {
    size: (bytes: number) => formatSize(bytes, language.value),
    duration: (seconds: number) => formatDuration(seconds, language.value),
    timeLeft: (seconds: number) => formatTimeLeft(seconds, language.value),
    roughDuration: (seconds: number) => formatRoughDuration(seconds, language.value),
    number,
    /** Total of a listing: `10,000+` where the server stopped counting. */
    total: ({ total, totalIsLowerBound }: Pick<Page<unknown>, 'total' | 'totalIsLowerBound'>) =>
      number(total) + (totalIsLowerBound === true ? '+' : ''),
    shortDateTime: (date: Date) => formatShortDateTime(date, region()),
    day: (date: Date) => new Intl.DateTimeFormat(region(), { dateStyle: 'medium' }).format(date),
    utcDay: (day: string) => formatUtcDay(day, region()),
    share: (part: number) => formatShare(part, language.value),
    /** The first of many names. */
    list: (names: readonly string[]) => formatList(names, language.value),
    dateTime: (date: Date) => formatDateTime(date, region()),
  }
}
