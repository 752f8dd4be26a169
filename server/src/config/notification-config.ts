import type { OptionValues } from './options/options.ts'

/** Messages that the service sends. */
export interface NotificationsConfig {
  /** The webhook of the server; null for none. */
  readonly webhook: null | { readonly url: string; readonly secret: string }
  readonly webhooksPerUser: number
  /** Private networks that webhooks of accounts may lead to, in CIDR notation. */
  readonly privateNetworks: readonly string[]
  /** Milliseconds that a webhook has to respond. */
  readonly timeoutMs: number
}

/** The maximum time for a response in seconds: half of the time that an instance claims a message. */
const maxTimeout = 60

export const notificationsOf = (values: OptionValues): NotificationsConfig => ({
  webhook: values.WebhookURL === '' ? null : { url: values.WebhookURL, secret: values.WebhookSecret },
  webhooksPerUser: values.WebhooksPerUser,
  privateNetworks: values.WebhookPrivateNetworks,
  timeoutMs: Math.min(values.WebhookTimeoutStr, maxTimeout) * 1000,
})
