import { headers, type UploadListing } from '@svc/contract'

interface ListingRequest {
  readonly query: Omit<UploadListing, 'token'>
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The request for a list of uploads. A user token that filters it goes into a header instead of the query
 * (docs/protocol.md#lists), because logs contain addresses.
 */
export function uploadListing({ token, ...query }: UploadListing): ListingRequest {
  return { query, ...(token !== undefined && { headers: { [headers.paging]: JSON.stringify({ token }) } }) }
}
