import type { Random } from '../../domain/ids.ts'
import type { DownloadRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { downloadEvents } from './download-events.ts'
import type { Event } from './event.ts'
import { eventStreams, type EventStreams } from './event-streams.ts'
import { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts'
import { publish, type Publisher } from './publish.ts'

/** Notifies accounts, and the webhook of the server, of events. */
export interface Notifications {
  readonly outbox: Outbox
  readonly streams: EventStreams
  /** Adds the messages about events to the outbox, in a transaction. */
  readonly publish: (transaction: MetadataStore, events: readonly Event[]) => Promise<void>
  /** Adds downloads, and the messages about them, in a transaction. */
  readonly addDownloads: (transaction: MetadataStore, rows: readonly DownloadRecord[]) => Promise<void>
}

export function createNotifications(options: OutboxOptions & { readonly random: Random }): Notifications {
  const { clock, random, config } = options
  const outbox = createOutbox(options)
  const hasServerWebhook = config.webhook !== null
  const publisher: Publisher = {
    random,
    hasServerWebhook,
    hasEmail: false,
    onDropped: (count) => {
      outbox.count('dropped', count)
    },
  }
  const publishEvents = async (transaction: MetadataStore, events: readonly Event[]) => {
    await publish(transaction, publisher, events, clock.now())
  }
  return {
    outbox,
    streams: eventStreams(options),
    publish: publishEvents,
    async addDownloads(transaction, rows) {
      const added = await transaction.downloads.add(rows)
      await publishEvents(
        transaction,
        await downloadEvents(transaction, added, { forServer: hasServerWebhook, now: clock.now() }),
      )
    },
  }
}
