import { flagValues, switchValues } from '@svc/contract'
import { choice } from '../values/value-parsers.ts'
import type { Option } from './option.ts'

const flag = choice(flagValues)
const onOff = choice(switchValues)

export const featureOptions = {
  FeatureAuthentication: {
    kind: flag,
    default: 'disabled',
    help: 'User accounts. `enabled` and `default`: optional; `forced`: uploads need an account.',
  },
  FeatureOneShot: {
    kind: flag,
    default: 'enabled',
    help: 'Files that can be downloaded once, or a limited number of times.',
  },
  FeatureRemovable: { kind: flag, default: 'enabled', help: 'Files that recipients can remove.' },
  FeatureStream: {
    kind: flag,
    default: 'enabled',
    help: 'Uploads that are streamed to the recipient and not stored.',
  },
  FeaturePassword: { kind: flag, default: 'enabled', help: 'Uploads protected by a password.' },
  FeatureComments: { kind: flag, default: 'enabled', help: 'Comments of an upload.' },
  FeatureSetTTL: {
    kind: flag,
    default: 'enabled',
    help: 'Custom time to live; `disabled`: always DefaultTTLStr.',
  },
  FeatureExtendTTL: {
    kind: flag,
    default: 'disabled',
    help: 'Uploads whose time to live restarts with every download.',
  },
  FeatureText: { kind: flag, default: 'enabled', help: 'Texts written or pasted in the web application.' },
  FeatureRequests: {
    kind: flag,
    default: 'enabled',
    help: 'Upload requests. `enabled` and `default`: for users and guests; `forced`: creating one needs an account.',
  },
  FeatureE2EE: { kind: onOff, default: 'enabled', help: 'End-to-end encryption.' },
  FeatureLocalLogin: { kind: onOff, default: 'enabled', help: 'Sign-in with a password of this service.' },
  FeatureDeleteAccount: { kind: onOff, default: 'enabled', help: 'Users can delete their account.' },
  FeatureClients: { kind: onOff, default: 'enabled', help: 'Page with the command-line clients.' },
  FeatureApiTokens: {
    kind: onOff,
    default: 'enabled',
    help: 'Users can create tokens for command-line clients.',
  },
  FeaturePreviews: {
    kind: onOff,
    default: 'enabled',
    help: 'Senders can add a small picture to each file, of at most 32 kB in the database.',
  },
  FeatureMail: {
    kind: onOff,
    default: 'disabled',
    help: 'Users can send the links of their uploads by email. Needs MailServer. See [links by email](mail.md).',
  },
} as const satisfies Record<string, Option<unknown>>
