import type { Logger } from 'pino'
import type { NotificationsConfig } from '../../../config/notification-config.ts'
import type { Clock } from '../../../domain/clock.ts'
import { randomId, type Random } from '../../../domain/ids.ts'
import type { DeliveryRecord, WebhookRecord } from '../../../domain/notification-records.ts'
import { bit } from '../../../domain/records.ts'
import type { DueDelivery, Transport } from '../../../metadata/notifications/outbox.ts'
import type { MetadataStore } from '../../../metadata/store.ts'
import { givenUp, type Outcome } from '../../../outgoing/outcome.ts'
import { addressRule } from '../../../outgoing/public-address.ts'
import { resolveBySystem } from '../../../outgoing/resolve.ts'
import { coalesce } from '../../../platform/coalesce.ts'
import { outboxResults } from './outbox-results.ts'
import { pauseAfter } from './retry-schedule.ts'
import { secretsOf, sendMessage, type Destination } from './send-message.ts'
import { mailSlots } from './mail-slots.ts'
import type { Slots } from './slots.ts'
import { targetSlots } from './target-slots.ts'

/** The interval at which each instance polls for due messages. */
const pollMs = 5_000

/** How long a claim lasts: longer than an attempt. The messages of a crashed instance are then sent by another one. */
const leaseMs = 120_000

/** The maximum number of messages that one query finds. */
const maxFound = 1_000

/** An attempt that ended with an unexpected error. It counts, so that such a message does not stay in the outbox forever. */
const unexpectedFailure: Outcome = {
  isDelivered: false,
  isFinal: false,
  status: null,
  error: 'internal error',
  isTimeout: false,
}

/** How a message ended, or what follows it. */
export type OutboxResult = 'delivered' | 'retried' | 'given_up' | 'dropped'

export interface Outbox {
  /** Sends the messages that are due now, without waiting for the interval. */
  readonly wake: () => void
  /** Counts messages that no attempt reports, such as dropped ones. */
  readonly count: (result: OutboxResult, messages: number) => void
  readonly counts: () => Readonly<Record<OutboxResult, number>>
  /** Age in ms of the oldest due message at the last poll; 0 if none is due. */
  readonly overdueMs: () => number
  /** Begins to send messages. */
  readonly start: () => void
  /** Stops sending. Resolves when the current attempts have ended and their results are written. */
  readonly stop: () => Promise<void>
}

export interface OutboxOptions {
  /** The store for background work. On SQLite it starts a thread of 7 MB, so it is used only when a message is due. */
  readonly store: MetadataStore
  /** The store that requests use. Polls for due messages. */
  readonly requestStore: Pick<MetadataStore, 'outbox'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<Logger, 'warn' | 'info'>
  readonly config: NotificationsConfig
  /** Sends a message by email once; absent if the server sends none. A rejection counts as a failed attempt. */
  readonly sendEmail?: ((message: DeliveryRecord) => Promise<Outcome>) | undefined
  /** Sends a message to a browser once. A rejection counts as a failed attempt. */
  readonly sendPush: (message: DeliveryRecord) => Promise<Outcome>
}

/**
 * Sends the messages of the outbox. Each message is claimed by one instance, which sends it and records the result; the claim
 * is a lease, so that the messages of a crashed instance are sent by another one. A message may then arrive twice, with the
 * same id.
 */
export function createOutbox({
  store,
  requestStore,
  clock,
  random,
  log,
  config,
  sendEmail,
  sendPush,
}: OutboxOptions): Outbox {
  const counted: Record<OutboxResult, number> = { delivered: 0, retried: 0, given_up: 0, dropped: 0 }
  const results = outboxResults(store, (error) => {
    log.warn({ err: error }, 'notification results not recorded')
  })
  const accountRule = addressRule(config.privateNetworks)
  const running = new Set<Promise<void>>()
  let stopPolling: (() => void) | undefined
  let dueSince: number | null = null

  const destinationOf = (
    { channel, target }: DeliveryRecord,
    webhooks: ReadonlyMap<string, WebhookRecord>,
    now: number,
  ): Destination | null => {
    if (channel === 'server')
      // The operator has chosen the address.
      return (
        config.webhook && {
          url: config.webhook.url,
          secrets: [config.webhook.secret],
          mayConnect: () => true,
          resolve: resolveBySystem,
        }
      )
    const webhook = webhooks.get(target)
    return webhook === undefined
      ? null
      : { url: webhook.url, secrets: secretsOf(webhook, now), mayConnect: accountRule }
  }

  const finish = async (message: DeliveryRecord, outcome: Outcome) => {
    const now = clock.now()
    const attempts = message.attempts + 1
    const { isDelivered, isFinal, status, error, retryAfter } = outcome
    const pause = isDelivered || isFinal ? null : pauseAfter(attempts, { now, random, retryAfter })
    counted[isDelivered ? 'delivered' : pause === null ? 'given_up' : 'retried'] += 1
    results.add({
      id: message.id,
      claim: message.claim ?? '',
      attempts,
      dueAt: pause === null ? null : now + pause,
      delivered: bit(isDelivered),
      responseStatus: status,
      error,
      finishedAt: pause === null ? now : null,
    })
    if (isFinal && isToWebhook(message)) await store.webhooks.disable(message.target)
  }

  const send = (message: DeliveryRecord, destination: Destination | null): Outcome | Promise<Outcome> => {
    if (message.channel === 'email') return sendEmail?.(message) ?? givenUp('this server sends no email')
    if (message.channel === 'push') return sendPush(message)
    if (destination === null) return givenUp('the webhook was removed')
    return sendMessage(message, destination, { now: clock.now(), timeoutMs: config.timeoutMs })
  }

  /** Sends the due messages of one transport. */
  const createSender = (transport: Transport, slots: Slots) => {
    const sendInSlot = async (message: DeliveryRecord, destination: Destination | null) => {
      let responded: boolean | undefined
      try {
        const outcome = await send(message, destination)
        responded = !outcome.isTimeout
        return outcome
      } catch (error) {
        log.warn({ err: error }, 'notification attempt failed')
        return unexpectedFailure
      } finally {
        slots.release(message, responded)
      }
    }

    const attempt = async (message: DeliveryRecord, destination: Destination | null) => {
      await finish(message, await sendInSlot(message, destination))
    }

    const begin = (message: DeliveryRecord, destination: Destination | null) => {
      const work = attempt(message, destination)
        .catch((error: unknown) => {
          log.warn({ err: error }, 'notification target not disabled')
        })
        .finally(() => {
          running.delete(work)
          sender.request()
        })
      running.add(work)
    }

    const claimAndBegin = async (taken: readonly DueDelivery[]) => {
      const now = clock.now()
      const claim = { claim: randomId(random), now, until: now + leaseMs }
      const begun = new Set<string>()
      try {
        const ids = taken.map(({ id }) => id)
        const claimed = await store.transaction(({ outbox }) => outbox.claim(ids, claim), {
          isDurable: false,
        })
        const targets = [...new Set(claimed.filter(isToWebhook).map(({ target }) => target))]
        const webhooks = targets.length === 0 ? [] : await store.webhooks.withIds(targets)
        const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
        for (const message of claimed) {
          const destination = destinationOf(message, byId, now)
          begun.add(message.id)
          begin(message, destination)
        }
      } finally {
        for (const message of taken) if (!begun.has(message.id)) slots.release(message)
      }
    }

    const pump = async () => {
      while (slots.free() > 0 && stopPolling !== undefined) {
        const limit = Math.min(4 * slots.free(), maxFound)
        const due = await store.outbox.due(transport, clock.now(), slots.full(), limit)
        if (due.length === 0 && !slots.nextRound()) return
        // Instances begin at different places of a long queue, so that they rarely claim the same messages.
        const start = due.length < limit ? 0 : randomIndex(random, due.length)
        const taken = [...due.slice(start), ...due.slice(0, start)].filter(slots.take)
        if (taken.length > 0) await claimAndBegin(taken)
      }
    }

    const sender = coalesce(async () => {
      try {
        if (stopPolling !== undefined) await pump()
      } catch (error) {
        log.warn({ err: error }, 'notifications not sent, retrying')
      }
    })
    return sender
  }

  const senders = [createSender('http', targetSlots(clock)), createSender('smtp', mailSlots())]
  const wake = () => {
    for (const sender of senders) sender.request()
  }

  const dueCheck = coalesce(async () => {
    try {
      dueSince = await requestStore.outbox.dueSince(clock.now())
      if (dueSince !== null) wake()
    } catch (error) {
      log.warn({ err: error }, 'outbox not read, retrying')
    }
  })

  return {
    wake,
    count(result, messages) {
      counted[result] += messages
    },
    counts: () => counted,
    overdueMs: () => (dueSince === null ? 0 : Math.max(0, clock.now() - dueSince)),
    start() {
      stopPolling = clock.every(pollMs, () => {
        void results.write() // It reports failures, and never rejects.
        dueCheck.request()
      })
      dueCheck.request()
    },
    async stop() {
      stopPolling?.()
      stopPolling = undefined
      await dueCheck.idle()
      for (const sender of senders) await sender.idle()
      await Promise.all(running)
      await results.write()
    },
  }
}

const isToWebhook = ({ channel }: DeliveryRecord): boolean => channel === 'webhook'

/** @param length at most 65,536 */
function randomIndex(random: Random, length: number): number {
  const bytes = new Uint8Array(2)
  random(bytes)
  const [high = 0, low = 0] = bytes
  return (256 * high + low) % length
}
