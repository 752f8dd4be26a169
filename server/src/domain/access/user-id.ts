import type { Provider } from '@svc/contract'

/**
 * The id of a user: `PROVIDER:…` (docs/protocol.md#user).
 * @param subject the name of the user at the provider
 */
export const userID = (provider: Provider, subject: string): string => `${provider}:${subject}`
