import { eventKinds, type EventKind } from '@svc/contract'
import { computed } from 'vue'
import { useI18n } from 'vue-i18n'

/** The texts of each event. */
const keys = {
  'upload.first_download': 'firstDownload',
  'upload.downloaded': 'downloaded',
  'upload.expiring': 'expiring',
  'request.received': 'received',
  'limits.near': 'limits',
} as const satisfies Record<EventKind, string>

/** The events to choose from, and their names. */
export function useEventLabels() {
  const { t } = useI18n()
  /** Their labels continue "Notify me of". */
  const choices = computed(() =>
    eventKinds.map((kind) => ({ kind, label: t(`notifications.events.${keys[kind]}`) })),
  )
  /** The name of an event, which stands alone; a newer one has no translation. */
  const nameOf = (event: string): string => {
    const kind = eventKinds.find((known) => known === event)
    return kind === undefined ? event : t(`notifications.eventNames.${keys[kind]}`)
  }
  return { choices, nameOf }
}
