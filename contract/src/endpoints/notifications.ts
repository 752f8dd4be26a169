import * as Type from 'typebox'
import {
  Delivery,
  EmailConfirmation,
  NewPushSubscription,
  NewWebhook,
  NotificationSettings,
  NotificationSettingsUpdate,
  PushSettings,
  PushSubscription,
  Webhook,
  WebhookUpdate,
} from '../resources/notifications.ts'
import { pageOf, pageQuery } from '../resources/page.ts'
import { endpoint, json, eventStreamTimeout, text } from './endpoint.ts'
import { jsonErrors, userChangeErrors, userErrors, visitorErrors } from './errors.ts'

const tag = 'Notifications'

export const getMyNotifications = endpoint({
  method: 'GET',
  path: '/me/notifications',
  chain: 'authenticated',
  tag,
  summary: 'Show what you are notified of',
  description: 'The events that are sent by email, and whether the address is confirmed.',
  response: json(NotificationSettings),
  errors: userErrors,
})

export const updateMyNotifications = endpoint({
  method: 'PATCH',
  path: '/me/notifications',
  chain: 'authenticated',
  tag,
  summary: 'Change what you are notified of',
  description: 'Absent fields stay. Messages are only sent to a confirmed address.',
  body: json(NotificationSettingsUpdate),
  response: json(NotificationSettings),
  errors: [...userChangeErrors, ...jsonErrors],
})

export const sendMyEmailConfirmation = endpoint({
  method: 'POST',
  path: '/me/notifications/email',
  chain: 'authenticated',
  tag,
  summary: 'Send a code to the email address of your profile',
  description:
    'The message is sent after the response. An account and an address get at most three codes within an hour.',
  response: text,
  errors: [...userChangeErrors, 'invalid_request', 'too_many_attempts', 'no_space'],
})

export const confirmMyEmail = endpoint({
  method: 'POST',
  path: '/me/notifications/email/confirm',
  chain: 'authenticated',
  tag,
  summary: 'Confirm your email address with the code that was sent to it',
  description: 'A code belongs to the address to which it was sent. A changed address needs another code.',
  body: json(EmailConfirmation),
  response: json(NotificationSettings),
  errors: [...userChangeErrors, ...jsonErrors, 'too_many_attempts'],
})

export const getMyPush = endpoint({
  method: 'GET',
  path: '/me/push',
  chain: 'authenticated',
  tag,
  summary: 'List your browsers that receive push messages',
  description: 'The response also has the public key of the server, which a browser needs to subscribe.',
  response: json(PushSettings),
  errors: userErrors,
})

export const putMyPush = endpoint({
  method: 'POST',
  path: '/me/push',
  chain: 'authenticated',
  tag,
  summary: 'Send push messages to a browser',
  description: 'A subscription with a known endpoint is replaced. The newest 20 stay.',
  body: json(NewPushSubscription),
  response: json(PushSubscription),
  errors: [...userChangeErrors, ...jsonErrors, 'no_space'],
})

export const removeMyPush = endpoint({
  method: 'DELETE',
  path: '/me/push/{pushID}',
  chain: 'authenticated',
  tag,
  summary: 'Send no more push messages to a browser',
  description: 'The server forgets the subscription. The browser keeps its part until it unsubscribes.',
  response: text,
  errors: [...userChangeErrors, 'push_subscription_not_found'],
})

export const listMyWebhooks = endpoint({
  method: 'GET',
  path: '/me/webhooks',
  chain: 'authenticated',
  tag,
  summary: 'List your webhooks',
  description:
    'Without their secrets: only the response that creates a webhook or replaces its secret has it.',
  response: json(Type.Array(Webhook)),
  errors: userErrors,
})

export const createMyWebhook = endpoint({
  method: 'POST',
  path: '/me/webhooks',
  chain: 'authenticated',
  tag,
  summary: 'Create a webhook',
  description:
    'Only this response and that of a new secret contain the secret that signs the requests (Standard Webhooks).',
  body: json(NewWebhook),
  response: json(Webhook),
  errors: [...userChangeErrors, ...jsonErrors, 'too_many_webhooks', 'no_space'],
})

export const updateMyWebhook = endpoint({
  method: 'PATCH',
  path: '/me/webhooks/{webhookID}',
  chain: 'authenticated',
  tag,
  summary: 'Change a webhook',
  description: 'Absent fields stay. Deliveries that wait are sent to the new address.',
  body: json(WebhookUpdate),
  response: json(Webhook),
  errors: [...userChangeErrors, ...jsonErrors, 'webhook_not_found'],
})

export const removeMyWebhook = endpoint({
  method: 'DELETE',
  path: '/me/webhooks/{webhookID}',
  chain: 'authenticated',
  tag,
  summary: 'Remove a webhook with its deliveries',
  description: 'Deliveries that wait are not sent.',
  response: text,
  errors: [...userChangeErrors, 'webhook_not_found'],
})

export const rotateMyWebhookSecret = endpoint({
  method: 'POST',
  path: '/me/webhooks/{webhookID}/secret',
  chain: 'authenticated',
  tag,
  summary: 'Replace the secret of a webhook',
  description: 'For 24 hours, the previous secret signs the requests as well.',
  response: json(Webhook),
  errors: [...userChangeErrors, 'webhook_not_found'],
})

export const listMyDeliveries = endpoint({
  method: 'GET',
  path: '/me/webhooks/{webhookID}/deliveries',
  chain: 'authenticated',
  tag,
  summary: 'List the deliveries of a webhook',
  description:
    'Each has its state, and the status of the last response of the receiver. Old deliveries are deleted.',
  query: Type.Object(pageQuery),
  response: json(pageOf(Delivery)),
  errors: [...userErrors, 'invalid_request', 'invalid_cursor', 'webhook_not_found'],
})

export const replayMyDelivery = endpoint({
  method: 'POST',
  path: '/me/webhooks/{webhookID}/deliveries/{deliveryID}/replay',
  chain: 'authenticated',
  tag,
  summary: 'Send a delivery again',
  description: 'It keeps its id, and begins with the first of its attempts.',
  response: json(Delivery),
  errors: [...userChangeErrors, 'delivery_not_found', 'webhook_not_found'],
})

export const streamMyEvents = endpoint({
  method: 'GET',
  path: '/me/events',
  chain: 'token',
  tag,
  summary: 'Receive your events as they happen',
  description:
    'Server-sent events (HTML standard), with a session or a user token of the scope `read`. The stream ends with the session or the token.',
  query: Type.Object({
    wait: eventStreamTimeout(
      'Seconds after which the stream ends; 0 sends the events since `Last-Event-ID` only.',
    ),
  }),
  requestHeaders: {
    'Last-Event-ID': {
      description: 'The id of the last event that the client has. The stream begins with those after it.',
      pattern: '^([0-9]{1,15}-[0-9A-Za-z]{16})?$',
    },
  },
  response: { type: 'text/event-stream' },
  errors: [...visitorErrors, 'invalid_session', 'invalid_request', 'too_many_connections'],
})
