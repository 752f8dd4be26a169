import { addressRefused } from '../../domain/errors.ts'
import type { RequestContext } from '../chain.ts'

/** Refuses bytes from addresses that may not upload (`UploadWhitelist`). */
export function checkUploaderAddress({
  service,
  address,
}: RequestContext & { readonly address: string }): object {
  if (!service.mayUploadFrom(address)) throw addressRefused()
  return {}
}
