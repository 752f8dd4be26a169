import { defaultUploadLogin } from '@svc/contract'
import { equalSecrets, matchesHash } from '../../auth/secrets.ts'
import { networkOf } from '../../domain/access/addresses.ts'
import { isAdmin } from '../../domain/access/principal.ts'
import {
  mayAccessRequest,
  type RequestAction,
  type RequestCaller,
} from '../../domain/access/request-access.ts'
import * as errors from '../../domain/errors.ts'
import { isId } from '../../domain/ids.ts'
import { isExpired } from '../../domain/limits/lifetime.ts'
import type { RequestRecord } from '../../domain/records.ts'
import { throttle } from '../accounts/throttle.ts'
import type { Service } from '../service.ts'
import type { Credentials } from '../uploads/authorize.ts'
import * as requestErrors from '../limits/request-errors.ts'

/** @throws ServiceError `request_not_found`, `feature_disabled` */
export async function loadRequest(
  { store, config }: Pick<Service, 'config' | 'store'>,
  id: string,
): Promise<RequestRecord> {
  requireRequests({ config })
  const request = isId(id) ? await store.requests.find(id) : undefined
  if (request === undefined) throw requestErrors.requestNotFound()
  return request
}

/** @throws ServiceError `feature_disabled` when upload requests are off */
export function requireRequests({ config }: Pick<Service, 'config'>): void {
  if (config.features.feature_requests === 'disabled') throw errors.featureDisabled('asking for files')
}

const callerOf = (
  { tokenHash, userId }: RequestRecord,
  { requestToken, principal }: Credentials,
): RequestCaller => ({
  holdsRequestToken: requestToken !== undefined && matchesHash(requestToken, tokenHash),
  isOwner: principal.user !== null && principal.user.id === userId,
  scopes: principal.scopes,
  isAdmin: isAdmin(principal),
})

/**
 * Checks that the credentials of its owner or of an admin allow an action.
 * @throws ServiceError `not_allowed`
 */
export function authorizeRequest(
  action: RequestAction,
  request: RequestRecord,
  credentials: Credentials,
): void {
  const caller = callerOf(request, credentials)
  if (mayAccessRequest(action, caller)) return
  if (caller.isOwner) throw errors.beyondScopes(action, caller.scopes)
  throw errors.notAllowed(`${action}: send its token`)
}

/**
 * Checks that a sender may see a request: it has not expired, and the password is correct. Its owner and admins need no password.
 * @throws ServiceError `request_not_found`, `wrong_credentials`, `too_many_attempts`, `unavailable`
 */
export async function authorizeSender(
  service: Pick<Service, 'clock' | 'passwords' | 'store'>,
  request: RequestRecord,
  credentials: Credentials,
): Promise<void> {
  if (isExpired(request, service.clock.now())) throw requestErrors.requestNotFound()
  const { passwordHash, id } = request
  if (passwordHash === null || mayAccessRequest('see the upload request', callerOf(request, credentials)))
    return
  const { basic, address } = credentials
  if (basic === undefined) throw requestErrors.wrongRequestPassword()
  const entry = { queue: 'upload password', network: networkOf(address) } as const
  const check = () =>
    throttle(service, { kind: 'request password', subject: id, address }, () =>
      service.passwords.verify(basic.password, passwordHash, entry),
    )
  const isLogin = equalSecrets(basic.login, defaultUploadLogin)
  const isPasswordCorrect = await service.passwords.verifyCached(basic.password, passwordHash, {
    client: entry.network,
    check,
  })
  if (!isPasswordCorrect || !isLogin) throw requestErrors.wrongRequestPassword()
}
