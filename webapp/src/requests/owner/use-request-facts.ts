import type { UploadRequest } from '@svc/contract'
import { useI18n } from 'vue-i18n'
import { useNow } from '../../base/use-now.ts'
import { useFormat } from '../../i18n/use-format.ts'

/** What a list says about a request: what has arrived, and whether it accepts more. */
export function useRequestFacts() {
  const { t } = useI18n()
  const format = useFormat()
  const now = useNow(30_000)

  function state({ expireAt, closed, open }: UploadRequest): string {
    const seconds = expireAt === null ? undefined : (Date.parse(expireAt) - now.value) / 1000
    if (seconds !== undefined && seconds <= 0) return t('sent.status.expired')
    if (closed) return t('requests.isClosed')
    if (!open) return t('requests.isFull')
    return seconds === undefined
      ? t('list.forEver')
      : t('download.left', { time: format.roughDuration(seconds) })
  }
  return (request: UploadRequest): string =>
    [
      t('requests.received', { count: format.number(request.uploads) }),
      format.size(request.size),
      state(request),
    ].join(' · ')
}
