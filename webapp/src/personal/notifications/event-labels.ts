import { eventKinds, type EventKind } from '@svc/contract'
import { computed } from 'vue'
import { useI18n } from 'vue-i18n'

/** The events to choose from, and their names. */
export function useEventLabels() {
  const { t } = useI18n()
  const labels = computed<Readonly<Record<EventKind, string>>>(() => ({
    'upload.first_download': t('notifications.events.firstDownload'),
    'upload.downloaded': t('notifications.events.downloaded'),
    'upload.expiring': t('notifications.events.expiring'),
    'request.received': t('notifications.events.received'),
    'limits.near': t('notifications.events.limits'),
  }))
  /** Of an event as the server names it; a newer one has no translation. */
  const labelOf = (event: string): string =>
    new Map<string, string>(Object.entries(labels.value)).get(event) ?? event
  const choices = computed(() => eventKinds.map((kind) => ({ kind, label: labels.value[kind] })))
  return { choices, labelOf }
}
