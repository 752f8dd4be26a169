import { integer, text, timer } from '../values/value-parsers.ts'
import { networks, optionalAddress } from '../values/web-value-parsers.ts'
import type { Option } from './option.ts'

/** Messages that the service sends. */
export const notificationOptions = {
  WebhooksPerUser: {
    kind: integer(0, 100),
    default: 10,
    help: 'Maximum of webhooks of an account; 0 allows none. See [notifications](notifications.md#webhooks).',
  },
  WebhookPrivateNetworks: {
    kind: networks,
    default: [],
    help: 'Private networks that webhooks of accounts may lead to. All others are refused, also those of this machine and of the metadata of clouds.',
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
