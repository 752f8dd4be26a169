import type { Provider } from '@svc/contract'
import { asciiLowerCase } from './claims.ts'

/**
 * Who somebody is among the people of a provider, however the name is written: Google's addresses and GitHub's logins are
 * the same in any case.
 */
export const subjectOf = (provider: Provider, name: string): string =>
  provider === 'idp1' || provider === 'idp2' ? asciiLowerCase(name) : name
