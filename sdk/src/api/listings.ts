import { headers, type UploadListing } from '@svc/contract'

interface ListingRequest {
  readonly query: Omit<UploadListing, 'token'>
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The request for a list of uploads. A user token that narrows it goes into the header that may carry what the query
 * does (specification §4, "Pagination parameters"): addresses end up in logs.
 */
export function uploadListing({ token, ...query }: UploadListing): ListingRequest {
  return { query, ...(token !== undefined && { headers: { [headers.paging]: JSON.stringify({ token }) } }) }
}
