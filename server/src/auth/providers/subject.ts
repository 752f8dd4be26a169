import type { Provider } from '@svc/contract'
import { asciiLowerCase } from './id-token-claims.ts'

/** The name of a user at a provider in canonical form: Google's addresses and GitHub's logins ignore case. */
export const subjectOf = (provider: Provider, name: string): string =>
  provider === 'idp1' || provider === 'idp2' ? asciiLowerCase(name) : name
