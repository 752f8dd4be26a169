import { withoutSlash } from '@svc/contract'

/**
 * Where the server is reached: the folder of the document's address, without a slash at its end, so that the
 * application works below any path prefix.
 * @param documentURL address of the page, with or without a fragment
 */
export function baseURLOf(documentURL: string): string {
  return withoutSlash(new URL('.', documentURL).href)
}
