import type { Provider } from '@svc/contract'

/** The id of a user (specification §2): `PROVIDER:…`. @param subject who it is among the people of the provider */
export const userID = (provider: Provider, subject: string): string => `${provider}:${subject}`
