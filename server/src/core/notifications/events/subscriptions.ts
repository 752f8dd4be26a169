import type { EventKind } from '@svc/contract'
import type { MetadataStore } from '../../../metadata/store.ts'
import { parseKinds } from './event.ts'

/** How a user receives events. */
export interface Subscription {
  readonly webhooks: readonly { readonly id: string; readonly kinds: ReadonlySet<EventKind> }[]
  /** The browsers of the user. */
  readonly pushes: readonly { readonly id: string; readonly kinds: ReadonlySet<EventKind> }[]
  /** The kinds that are sent to the verified address of the user; none without one. */
  readonly emailKinds: ReadonlySet<EventKind>
  /** Whether a stream of events of the user is open, or was lately. */
  readonly isListening: boolean
}

/**
 * The subscriptions of those of some users who receive events, by their ids: three queries for all of them.
 * @param userIds null for uploads without an owner
 * @param now ms
 */
export async function subscriptionsOf(
  { webhooks, notificationSettings, pushSubscriptions }: SubscriptionTables,
  userIds: readonly (string | null)[],
  now: number,
): Promise<ReadonlyMap<string, Subscription>> {
  const ids = [...new Set(userIds.filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const hooks = Map.groupBy(await webhooks.enabledOf(ids), ({ userId }) => userId)
  const settings = new Map((await notificationSettings.ofUsers(ids)).map((row) => [row.userId, row]))
  const browsers = Map.groupBy(await pushSubscriptions.ofUsers(ids), ({ userId }) => userId)
  const known = ids.filter((id) => hooks.has(id) || settings.has(id) || browsers.has(id))
  return new Map(
    known.map((id) => {
      const row = settings.get(id)
      const subscription: Subscription = {
        webhooks: (hooks.get(id) ?? []).map(withKinds),
        pushes: (browsers.get(id) ?? []).map(withKinds),
        emailKinds: new Set(
          row === undefined || row.verifiedEmail === null ? [] : parseKinds(row.emailEvents),
        ),
        isListening: row !== undefined && row.listeningUntil > now,
      }
      return [id, subscription]
    }),
  )
}

/** The tables with the subscriptions of users. */
export type SubscriptionTables = Pick<
  MetadataStore,
  'notificationSettings' | 'pushSubscriptions' | 'webhooks'
>

const withKinds = ({ id, events }: { readonly id: string; readonly events: string }) => ({
  id,
  kinds: new Set(parseKinds(events)),
})
