import type { EmailConfirmations } from '../../auth/email-confirmation.ts'
import type { DownloadRecord } from '../../domain/records.ts'
import type { Arrival } from '../activity/arrival-log.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { mailer } from '../../outgoing/mailer.ts'
import { addressRule } from '../../outgoing/public-address.ts'
import type { Vapid } from '../../outgoing/push/vapid.ts'
import { downloadEvents } from './events/download-events.ts'
import type { Event } from './events/event.ts'
import { receivedEvents } from './events/received-events.ts'
import { eventStreams, type EventStreams } from './events/event-streams.ts'
import { createOutbox, type Outbox, type OutboxOptions } from './outbox/outbox.ts'
import { emailSender } from './email/send-email.ts'
import { pushSender } from './outbox/send-push.ts'
import { confirmationEvent, publish, type Publisher } from './events/publish.ts'

/** Notifies accounts, and the webhook of the server, of events. */
export interface Notifications {
  readonly outbox: Outbox
  readonly streams: EventStreams
  /** The keys of push messages. */
  readonly vapid: Vapid
  /** Closes the connections to the mail server. */
  readonly close: () => void
  /** Adds the messages about events to the outbox, in a transaction. */
  readonly publish: (transaction: MetadataStore, events: readonly Event[]) => Promise<void>
  /**
   * Adds downloads, and the messages about them, in a transaction.
   * @returns whether there are messages
   */
  readonly addDownloads: (transaction: MetadataStore, rows: readonly DownloadRecord[]) => Promise<boolean>
  /**
   * Adds the messages about files that have arrived for upload requests, in a transaction.
   * @returns whether there are messages
   */
  readonly publishArrivals: (transaction: MetadataStore, arrivals: readonly Arrival[]) => Promise<boolean>
}

export interface NotificationsOptions extends Omit<OutboxOptions, 'sendEmail' | 'sendPush'> {
  readonly confirmations: EmailConfirmations
  readonly vapid: Vapid
  /** Address of the web application, for links. */
  readonly serviceURL: string
}

export function createNotifications(options: NotificationsOptions): Notifications {
  const { store, clock, random, config, confirmations, vapid, serviceURL } = options
  const post = config.mail === null ? null : mailer(config.mail)
  const sendEmail =
    post === null
      ? undefined
      : emailSender({
          mailer: post,
          store,
          clock,
          confirmations,
          serviceURL,
          confirmationEvent,
          isEnabled: config.linkMail !== null,
        })
  const sendPush = pushSender({
    store,
    vapid,
    clock,
    random,
    mayConnect: addressRule(config.privateNetworks),
    timeoutMs: config.timeoutMs,
  })
  const outbox = createOutbox({ ...options, sendEmail, sendPush })
  const hasServerWebhook = config.webhook !== null
  const publisher: Publisher = {
    random,
    hasServerWebhook,
    hasEmail: post !== null,
    onDropped: (count) => {
      outbox.count('dropped', count)
    },
  }
  const publishEvents = async (transaction: MetadataStore, events: readonly Event[]) => {
    await publish(transaction, publisher, events, clock.now())
  }
  const publishAll = async (transaction: MetadataStore, events: readonly Event[]) => {
    await publishEvents(transaction, events)
    return events.length > 0
  }
  const receivers = () => ({ forServer: hasServerWebhook, now: clock.now() })
  return {
    outbox,
    streams: eventStreams(options),
    vapid,
    close: () => post?.close(),
    publish: publishEvents,
    async addDownloads(transaction, rows) {
      const added = await transaction.downloads.add(rows)
      return publishAll(transaction, await downloadEvents(transaction, added, receivers()))
    },
    async publishArrivals(transaction, arrivals) {
      return publishAll(transaction, await receivedEvents(transaction, arrivals, receivers()))
    },
  }
}
