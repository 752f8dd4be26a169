/** Where people sign in instead of here: one function of this shape for each provider. */

/** What a provider vouches for. */
export interface ProviderProfile {
  /** Who it is among the people of the provider: the id of the user is `PROVIDER:SUBJECT` (specification §2). */
  readonly subject: string
  /** Who vouches for it: the same subject of another issuer is somebody else. */
  readonly issuer: string
  /** What the provider calls the account for ever, whatever else of it changes; null when it does not tell. */
  readonly accountId: string | null
  readonly login: string
  readonly name: string
  /** Empty when the provider tells none. */
  readonly email: string
}

/** What has to be known when the browser comes back; kept by the browser in a signed cookie. */
export interface LoginAttempt {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export interface IdentityProvider {
  /**
   * Begins a login.
   * @param callbackURL where the provider sends the browser back
   * @throws ServiceError `unavailable` when the provider cannot be reached
   */
  begin(callbackURL: string): Promise<{ readonly consentURL: string; readonly attempt: LoginAttempt }>
  /**
   * Ends a login: checks state, nonce, code and the rules of this provider, then reads the profile.
   * @param returned the address that the browser came back to, with its query, on the host of `callbackURL`
   * @throws ServiceError `login_failed` (forged, replayed, cancelled), `login_refused` (not one of the people who
   * may sign in), `unavailable`
   */
  finish(returned: URL, attempt: LoginAttempt): Promise<ProviderProfile>
}
