import type {
  Delivery,
  DeliveryListing,
  NewPushSubscription,
  NewWebhook,
  NotificationSettings,
  NotificationSettingsUpdate,
  Page,
  PushSettings,
  PushSubscription,
  Webhook,
  WebhookUpdate,
} from '@svc/contract'
import { endpointCalls } from '../http/calls.ts'
import type { Connection } from '../http/connection.ts'

/** The notifications of the caller (docs/notifications.md). */
export function notificationCalls(connection: Connection) {
  const { call, request } = endpointCalls(connection)
  return {
    myNotifications: (): Promise<NotificationSettings> => call('GET /me/notifications'),
    updateMyNotifications: (changes: NotificationSettingsUpdate): Promise<NotificationSettings> =>
      call('PATCH /me/notifications', { body: changes }),
    /** Sends a code to the email address of the profile. */
    sendMyEmailConfirmation: async (): Promise<void> => {
      await request('POST /me/notifications/email')
    },
    confirmMyEmail: (code: string): Promise<NotificationSettings> =>
      call('POST /me/notifications/email/confirm', { body: { code } }),

    myPush: (): Promise<PushSettings> => call('GET /me/push'),
    /** @param subscription `toJSON()` of a subscription of the browser, and its events */
    putMyPush: (subscription: NewPushSubscription): Promise<PushSubscription> =>
      call('POST /me/push', { body: subscription }),
    removeMyPush: async (pushID: string): Promise<void> => {
      await request('DELETE /me/push/{pushID}', { params: { pushID } })
    },

    myWebhooks: (): Promise<Webhook[]> => call('GET /me/webhooks'),
    /** Only this response, and that of a rotation, has the secret. */
    createMyWebhook: (webhook: NewWebhook): Promise<Webhook> => call('POST /me/webhooks', { body: webhook }),
    updateMyWebhook: (webhookID: string, changes: WebhookUpdate): Promise<Webhook> =>
      call('PATCH /me/webhooks/{webhookID}', { params: { webhookID }, body: changes }),
    removeMyWebhook: async (webhookID: string): Promise<void> => {
      await request('DELETE /me/webhooks/{webhookID}', { params: { webhookID } })
    },
    /** For a day, the previous secret signs as well. */
    rotateMyWebhookSecret: (webhookID: string): Promise<Webhook> =>
      call('POST /me/webhooks/{webhookID}/secret', { params: { webhookID } }),
    myDeliveries: (webhookID: string, query: DeliveryListing = {}): Promise<Page<Delivery>> =>
      call('GET /me/webhooks/{webhookID}/deliveries', { params: { webhookID }, query }),
    replayMyDelivery: (webhookID: string, deliveryID: string): Promise<Delivery> =>
      call('POST /me/webhooks/{webhookID}/deliveries/{deliveryID}/replay', {
        params: { webhookID, deliveryID },
      }),
  }
}
