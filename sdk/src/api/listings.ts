import { headers, type UploadListing } from '@svc/contract'
import { withQuery } from '../core/paths.ts'
import type { FetchRequest } from '../http/fetch-transport.ts'

/**
 * The request for a list of uploads. A user token that narrows it goes into the header that may carry what the query
 * does (specification §4, "Pagination parameters"): addresses end up in logs.
 */
export function uploadListing(path: string, { token, ...query }: UploadListing): [string, FetchRequest] {
  const init = token === undefined ? {} : { headers: { [headers.paging]: JSON.stringify({ token }) } }
  return [withQuery(path, query), init]
}
