/** The values of a feature flag (docs/protocol.md#feature-flags). */
export const flagValues = ['disabled', 'enabled', 'default', 'forced'] as const
export type FlagValue = (typeof flagValues)[number]

/** The values of a flag that is only off or on. */
export const switchValues = ['disabled', 'enabled'] as const
export type SwitchValue = (typeof switchValues)[number]

/** Flags with four values: each controls an option of an upload, or (authentication, requests) who can do something. */
export const optionFlags = [
  'feature_authentication',
  'feature_one_shot',
  'feature_removable',
  'feature_stream',
  'feature_password',
  'feature_comments',
  'feature_set_ttl',
  'feature_extend_ttl',
  'feature_text',
  'feature_requests',
] as const
export type OptionFlag = (typeof optionFlags)[number]

/** Flags with two values. */
export const switchFlags = [
  'feature_e2ee',
  'feature_local_login',
  'feature_delete_account',
  'feature_clients',
  'feature_api_tokens',
  'feature_mail',
  'feature_previews',
] as const
export type SwitchFlag = (typeof switchFlags)[number]
