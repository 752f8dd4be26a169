import type { UploadRequest } from '@svc/contract'
import { useI18n } from 'vue-i18n'
import { useNow } from '../../base/use-now.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useTimeLeft } from '../../i18n/use-time-left.ts'
import { clockInterval, endTexts, requestEnd } from '../store/request-end.ts'

/** What a list says about a request: what has arrived, and whether it accepts more. */
export function useRequestFacts() {
  const { t } = useI18n()
  const format = useFormat()
  const timeLeft = useTimeLeft()
  const now = useNow(clockInterval)

  function state(request: UploadRequest): string {
    const end = requestEnd(request, now.value)
    return end === undefined ? timeLeft(request.expireAt, now.value) : t(endTexts[end])
  }
  return (request: UploadRequest): string =>
    [
      t('requests.received', { count: format.number(request.uploads) }),
      format.size(request.size),
      state(request),
    ].join(' · ')
}
