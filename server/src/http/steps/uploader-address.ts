import { addressRefused } from '../../domain/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { RequestContext } from './chain.ts'

/** Refuses uploads of guests from addresses outside `UploadWhitelist`. */
export function checkUploaderAddress({
  service,
  principal,
  address,
}: RequestContext & { readonly principal: Principal; readonly address: string }): object {
  if (principal.user === null && !service.mayUploadFrom(address)) throw addressRefused()
  return {}
}
