import { choice, integer, optionalPath, text, timer } from '../values/value-parsers.ts'
import { mailServer, networks, optionalAddress } from '../values/web-value-parsers.ts'
import type { Option } from './option.ts'

/** Messages that the service sends. */
export const notificationOptions = {
  MailServer: {
    kind: mailServer,
    default: '',
    help: 'Server that sends email: `smtp://LOGIN:PASSWORD@mail.example:587` (STARTTLS) or `smtps://…:465` (TLS). Needs MailFrom and SvcDomain. Empty: no email. See [notifications](notifications.md#email).',
    secret: true,
  },
  MailFrom: {
    kind: text,
    default: '',
    help: 'Sender of email, for example `Svc <svc@example.org>`.',
  },
  MailTLS: {
    kind: choice(['required', 'none']),
    default: 'required',
    help: '`none` sends email and password without encryption, for a server on the same machine.',
  },
  MailCA: {
    kind: optionalPath,
    default: '',
    help: 'File with certificate authorities (PEM) for MailServer. Empty: those that Node includes.',
  },
  MailsPerUser: {
    kind: integer(1, 100_000),
    default: 50,
    help: 'Maximum number of addresses to which an account sends links within a day (FeatureMail).',
  },
  WebhooksPerUser: {
    kind: integer(0, 100),
    default: 10,
    help: 'Maximum number of webhooks of an account; 0 allows none. See [notifications](notifications.md#webhooks).',
  },
  WebhookPrivateNetworks: {
    kind: networks,
    default: [],
    help: 'Private networks that webhooks of accounts may lead to. All others are refused, including those of this machine and of cloud metadata services.',
  },
  WebhookTimeoutStr: {
    kind: timer(1),
    default: '15s',
    help: 'Time for a webhook to respond, at most one minute.',
  },
  WebhookURL: {
    kind: optionalAddress,
    default: '',
    help: 'Address that receives the events of all uploads (Standard Webhooks), on any network; needs WebhookSecret. Empty: none.',
  },
  WebhookSecret: {
    kind: text,
    default: '',
    help: 'Signs the requests to WebhookURL: `whsec_` and 24 to 64 random bytes in base64.',
    secret: true,
  },
} as const satisfies Record<string, Option<unknown>>
