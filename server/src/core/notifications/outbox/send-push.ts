import type { Clock } from '../../../domain/clock.ts'
import type { Random } from '../../../domain/ids.ts'
import type { DeliveryRecord } from '../../../domain/notification-records.ts'
import type { MetadataStore } from '../../../metadata/store.ts'
import { givenUp, type Outcome } from '../../../outgoing/outcome.ts'
import type { MayConnect } from '../../../outgoing/public-address.ts'
import { encryptPush } from '../../../outgoing/push/encrypt.ts'
import type { Vapid } from '../../../outgoing/push/vapid.ts'
import { requestOnce } from './send-message.ts'

/** How long a push service keeps a message for a browser that is not connected, in seconds. */
const keptSeconds = 86_400

/** The statuses of a subscription that has ended (RFC 8030 §7.3). */
const ended: readonly (number | null)[] = [404, 410]

/** The status of a message that is too long for the push service. */
const tooLong = 413

export interface PushSender {
  readonly store: MetadataStore
  readonly vapid: Vapid
  readonly clock: Clock
  readonly random: Random
  readonly mayConnect: MayConnect
  readonly timeoutMs: number
}

/** Sends messages of the outbox to browsers (RFC 8030). A subscription that has ended is removed. */
export function pushSender(sender: PushSender): (message: DeliveryRecord) => Promise<Outcome> {
  const { store, vapid, clock, random, mayConnect, timeoutMs } = sender
  return async (message) => {
    const subscription = await store.pushSubscriptions.find(message.target)
    if (subscription === undefined) return givenUp('the subscription was removed')
    const { userId, endpoint, p256dh, auth } = subscription
    const salt = new Uint8Array(16)
    random(salt)
    const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
    const url = new URL(endpoint)
    const headers = {
      authorization: await vapid.authorization(url, clock.now()),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(keptSeconds),
      urgency: 'normal',
    }
    const body = encryptPush(Buffer.from(message.payload), keys, { salt })
    const outcome = await requestOnce(url, { headers, body, mayConnect, timeoutMs })
    if (ended.includes(outcome.status)) {
      await store.pushSubscriptions.remove(userId, message.target)
      return { ...outcome, isFinal: true }
    }
    return outcome.status === tooLong ? { ...outcome, isFinal: true } : outcome
  }
}
