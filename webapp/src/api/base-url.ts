import { withoutSlash } from '@svc/contract'

/**
 * Address of the server: the folder of the document's address, without a trailing slash, so that the application works below
 * any path prefix.
 * @param documentURL address of the page, with or without a fragment
 */
export function baseURLOf(documentURL: string): string {
  return withoutSlash(new URL('.', documentURL).href)
}
