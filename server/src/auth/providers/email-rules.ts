import { loginRefused } from '../../domain/errors.ts'
import { asciiLowerCase } from './id-token-claims.ts'

/** The email address that a provider states; empty when it states none. */
export interface StatedEmail {
  readonly email: string
  readonly verified: boolean
}

/** @throws ServiceError `login_refused` when the provider has not verified the address */
export function requireVerified({ email, verified }: StatedEmail, provider: string): void {
  if (email !== '' && verified) return
  throw loginRefused(`${provider} has not verified your email address: verify it there, then sign in again`)
}

/**
 * Enforces the valid domains (`Idp1ValidDomains`, `OIDCValidDomains`): the whole domain must match, and an
 * unverified address matches none. Without configured domains, everyone may sign in.
 * @throws ServiceError `login_refused`
 */
export function requireDomain(stated: StatedEmail, domains: readonly string[], provider: string): void {
  if (domains.length === 0) return
  requireVerified(stated, provider)
  const domain = asciiLowerCase(stated.email.slice(stated.email.lastIndexOf('@') + 1))
  if (domains.some((valid) => asciiLowerCase(valid) === domain)) return
  throw loginRefused('people of your email domain may not sign in here')
}
