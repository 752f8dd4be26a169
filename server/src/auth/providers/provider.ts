/** The interface that each identity provider implements. */

/** The profile that a provider guarantees. */
export interface ProviderProfile {
  /** The name of the user at the provider: the user id is `PROVIDER:SUBJECT` (docs/protocol.md#user). */
  readonly subject: string
  /** The issuer: the same subject of another issuer is another person. */
  readonly issuer: string
  /** The permanent account id at the provider; null when the provider has none. */
  readonly accountId: string | null
  readonly login: string
  readonly name: string
  /** Empty when the provider states none. */
  readonly email: string
}

/** The state of a login while the browser is at the provider, stored by the browser in a signed cookie. */
export interface LoginAttempt {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export interface IdentityProvider {
  /**
   * Starts a login.
   * @param callbackURL the address to which the provider returns the browser
   * @throws ServiceError `unavailable` when the provider cannot be reached
   */
  begin(callbackURL: string): Promise<{ readonly consentURL: string; readonly attempt: LoginAttempt }>
  /**
   * Completes a login: checks state, nonce, code and the rules of this provider, then reads the profile.
   * @param returned the address to which the browser returned, with its query, on the host of `callbackURL`
   * @throws ServiceError `login_failed` (forged, replayed, cancelled), `login_refused` (the person may not sign in
   * here), `unavailable`
   */
  finish(returned: URL, attempt: LoginAttempt): Promise<ProviderProfile>
}
