import { errorFactory, ServiceError } from '../../domain/errors.ts'

// Errors of webhooks and of push subscriptions.

export const webhookNotFound = errorFactory(
  'webhook_not_found',
  'webhook not found: it may have been removed',
)
export const pushSubscriptionNotFound = errorFactory(
  'push_subscription_not_found',
  'push subscription not found: it may have ended',
)
export const deliveryNotFound = errorFactory(
  'delivery_not_found',
  'delivery not found: it may have been deleted after its retention',
)
/** @param max 0 when webhooks are disabled */
export const tooManyWebhooks = (max: number) =>
  new ServiceError(
    'too_many_webhooks',
    max === 0
      ? 'this server does not allow webhooks of accounts'
      : `you have ${String(max)} webhooks already: remove one first`,
  )
