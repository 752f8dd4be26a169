import type { NewPushSubscription, NewWebhook } from '@svc/contract'
import type { Client } from '../client.ts'

const page = { limit: 5, order: 'asc', after: 'a b' } as const
const webhook: NewWebhook = { url: 'https://hooks.example/svc', events: ['upload.downloaded'] }
const push: NewPushSubscription = {
  endpoint: 'https://push.example/1',
  keys: { p256dh: 'p', auth: 'a' },
  events: ['upload.expiring'],
}

/** The calls of notifications, and the requests that they send. */
export const notificationRows = {
  getMyNotifications: { send: (client: Client) => client.myNotifications() },
  updateMyNotifications: {
    send: (client: Client) => client.updateMyNotifications({ email: { events: ['limits.near'] } }),
    body: { email: { events: ['limits.near'] } },
  },
  sendMyEmailConfirmation: { send: (client: Client) => client.sendMyEmailConfirmation() },
  confirmMyEmail: { send: (client: Client) => client.confirmMyEmail('c'), body: { code: 'c' } },
  getMyPush: { send: (client: Client) => client.myPush() },
  putMyPush: { send: (client: Client) => client.putMyPush(push), body: push },
  removeMyPush: { send: (client: Client) => client.removeMyPush('p1'), at: 'p1' },
  listMyWebhooks: { send: (client: Client) => client.myWebhooks() },
  createMyWebhook: { send: (client: Client) => client.createMyWebhook(webhook), body: webhook },
  updateMyWebhook: {
    send: (client: Client) => client.updateMyWebhook('w1', { enabled: false }),
    at: 'w1',
    body: { enabled: false },
  },
  removeMyWebhook: { send: (client: Client) => client.removeMyWebhook('w1'), at: 'w1' },
  rotateMyWebhookSecret: { send: (client: Client) => client.rotateMyWebhookSecret('w1'), at: 'w1' },
  listMyDeliveries: {
    send: (client: Client) => client.myDeliveries('w1', page),
    at: 'w1',
    query: '?limit=5&order=asc&after=a+b',
  },
  replayMyDelivery: { send: (client: Client) => client.replayMyDelivery('w1', 'd1'), at: ['w1', 'd1'] },
}
