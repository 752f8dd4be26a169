import type { NotificationsConfig } from '../config/notification-config.ts'
import { hasTexts } from '../core/notifications/email/mail-texts.ts'
import { isKnownKind } from '../core/notifications/events/event.ts'
import { isOnAllowedNetwork, webhookURL } from '../core/notifications/webhook-url.ts'
import type { NotificationSettingsRecord, WebhookRecord } from '../domain/notification-records.ts'
import type { WebhookWrites } from '../metadata/bulk-tables.ts'
import type { Line } from './record-lines.ts'

/** What differs between servers: a valid export may have what this one does not allow. */
export interface LocalRules extends Pick<NotificationsConfig, 'privateNetworks' | 'webhooksPerUser'> {
  /** Called with the number of a line that is left out as a whole or in part, and the reason. */
  readonly onRefused: (number: number, reason: string) => void
}

/** Leaves out what the API of this server would refuse. The rest is imported. */
export function notificationFilter(
  table: Pick<WebhookWrites, 'countsOf'>,
  { privateNetworks, webhooksPerUser, onRefused }: LocalRules,
) {
  /** The number of webhooks of each user that had one to add. */
  const counts = new Map<string, number>()

  const countExisting = async (lines: readonly Line<'webhook'>[]) => {
    const users = new Set(lines.map(({ fields }) => fields.userId).filter((id) => !counts.has(id)))
    if (users.size === 0) return
    const existing = await table.countsOf([...users])
    for (const id of users) counts.set(id, existing.get(id) ?? 0)
  }

  /** The events that this version knows. */
  const knownEventsIn = (number: number, text: string): string => {
    const kinds = text === '' ? [] : text.split(' ')
    const unknown = kinds.filter((kind) => !isKnownKind(kind))
    if (unknown.length > 0) onRefused(number, `the events ${unknown.join(', ')} are not known`)
    return kinds.filter(isKnownKind).join(' ')
  }

  const acceptWebhook = ({ number, fields }: Line<'webhook'>): WebhookRecord | null => {
    const events = knownEventsIn(number, fields.events)
    if (events === '') return null
    const url = webhookURL(fields.url)
    if (!isOnAllowedNetwork(url, { privateNetworks })) {
      onRefused(
        number,
        'the webhook is on a network that this server does not allow (WebhookPrivateNetworks)',
      )
      return null
    }
    const count = counts.get(fields.userId) ?? 0
    if (count >= webhooksPerUser) {
      onRefused(number, `the user has ${String(count)} webhooks already (WebhooksPerUser)`)
      return null
    }
    counts.set(fields.userId, count + 1)
    return { ...fields, url: url.href, events }
  }

  return {
    async webhooks(lines: readonly Line<'webhook'>[]): Promise<readonly WebhookRecord[]> {
      await countExisting(lines)
      return lines.map(acceptWebhook).filter((row) => row !== null)
    },

    /** No stream of events is open here. */
    settings({ number, fields }: Line<'notification'>): NotificationSettingsRecord {
      const { language } = fields
      const isKnown = language === '' || hasTexts(language)
      if (!isKnown) onRefused(number, `the language ${JSON.stringify(language)} is not known`)
      return {
        ...fields,
        emailEvents: knownEventsIn(number, fields.emailEvents),
        language: isKnown ? language : '',
        listeningUntil: 0,
      }
    },
  }
}
