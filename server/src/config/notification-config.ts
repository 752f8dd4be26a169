import type { OptionValues } from './options/options.ts'

/** The connection to a mail server. */
export interface MailConfig {
  /** `smtp://` or `smtps://`, with login and password if the server requires them. */
  readonly server: string
  /** `required`: with TLS from the beginning (`smtps`), or after STARTTLS. `none`: without, on a network that is trusted. */
  readonly tls: 'required' | 'none'
  /** File with additional certificate authorities (PEM); empty for none. */
  readonly ca: string
  /** The sender: an address, or a name and an address in angle brackets. */
  readonly from: string
}

/** Messages that the service sends. */
export interface NotificationsConfig {
  /** The webhook of the server; null for none. */
  readonly webhook: null | { readonly url: string; readonly secret: string }
  /** The mail server; null without email. */
  readonly mail: MailConfig | null
  /** Links of uploads that accounts send by email; null if they cannot. */
  readonly linkMail: null | {
    /** The maximum number of addresses of an account within a day. */
    readonly addressesPerDay: number
  }
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
  mail:
    values.MailServer === ''
      ? null
      : { server: values.MailServer, tls: values.MailTLS, ca: values.MailCA, from: values.MailFrom },
  linkMail:
    values.FeatureMail === 'disabled' || values.MailServer === ''
      ? null
      : { addressesPerDay: values.MailsPerUser },
  webhooksPerUser: values.WebhooksPerUser,
  privateNetworks: values.WebhookPrivateNetworks,
  timeoutMs: Math.min(values.WebhookTimeoutStr, maxTimeout) * 1000,
})
