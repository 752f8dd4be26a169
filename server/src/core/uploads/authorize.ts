import { uploadSecret } from '../../auth/imported-hashes.ts'
import { isTooCostly } from '../../auth/passwords.ts'
import { equalSecrets, matchesHash } from '../../auth/secrets.ts'
import { decideAccess, isHiddenFromSender, type Action, type Caller } from '../../domain/access/access.ts'
import { networkOf } from '../../domain/access/addresses.ts'
import * as errors from '../../domain/errors.ts'
import { isAdmin, type Principal } from '../../domain/access/principal.ts'
import type { UploadRecord } from '../../domain/records.ts'
import { throttle } from '../accounts/throttle.ts'
import type { Service } from '../service.ts'

/** The credentials of a request. */
export interface Credentials {
  readonly uploadToken?: string | undefined
  readonly requestToken?: string | undefined
  /** From HTTP Basic. */
  readonly basic?: { readonly login: string; readonly password: string } | undefined
  readonly principal: Principal
  /** The source address of the request. */
  readonly address: string
}

/** The rights of a request to an upload. */
export const callerOf = (
  upload: UploadRecord,
  { uploadToken, requestToken, principal }: Credentials,
): Caller => ({
  holdsUploadToken: uploadToken !== undefined && matchesHash(uploadToken, upload.tokenHash),
  holdsRequestToken:
    requestToken !== undefined &&
    upload.requestTokenHash !== null &&
    matchesHash(requestToken, upload.requestTokenHash),
  isOwner: principal.user !== null && principal.user.id === upload.userId,
  scopes: principal.scopes,
  isAdmin: isAdmin(principal),
})

/**
 * Checks that the credentials allow an action.
 * @throws ServiceError `not_allowed`, `wrong_credentials`, `too_many_attempts`
 */
export async function authorize(
  service: Pick<Service, 'clock' | 'log' | 'passwords' | 'store'>,
  action: Action,
  upload: UploadRecord,
  credentials: Credentials,
): Promise<void> {
  const caller = callerOf(upload, credentials)
  switch (decideAccess(action, upload, caller)) {
    case 'allowed':
      return
    case 'denied':
      // An owner may do everything, but not with every token.
      if (caller.isOwner) throw errors.beyondScopes(action, caller.scopes)
      if (action === 'send the link by email')
        throw errors.notAllowed(`${action}: only the account that owns the upload is`)
      if (isHiddenFromSender(action, upload))
        throw errors.notAllowed(`${action}: send the token of its request, or sign in as the owner`)
      throw errors.notAllowed(`${action}: send the token of the upload`)
    case 'password':
      if (!(await knowsPassword(service, upload, credentials))) throw errors.wrongCredentials()
  }
}

async function knowsPassword(
  service: Pick<Service, 'clock' | 'log' | 'passwords' | 'store'>,
  upload: UploadRecord,
  { basic, address }: Credentials,
): Promise<boolean> {
  const { passwordHash, login } = upload
  if (basic === undefined || passwordHash === null) return false
  const { passwords, log } = service
  const { secret, hash } = uploadSecret(basic, passwordHash)
  if (isTooCostly(hash))
    log.warn(
      { upload: upload.id },
      'an imported password hash costs too much to verify: only the owner and the upload token open the upload',
    )
  const isLogin = equalSecrets(basic.login, login ?? '')
  const attempt = { kind: 'upload password', subject: upload.id, address } as const
  // A wrong login takes as long as a wrong password, so that the time does not reveal the login.
  const entry = { queue: 'upload password', network: networkOf(address) } as const
  const check = () =>
    throttle(service, attempt, async () => (await passwords.verify(secret, hash, entry)) && isLogin)
  return isLogin ? passwords.verifyCached(secret, hash, { client: entry.network, check }) : check()
}
