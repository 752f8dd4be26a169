import { headers, type ShareX } from '@svc/contract'

/**
 * The server's file for ShareX, with the name of the page.
 * @param token user token that is sent along; anyone with the file can upload with it
 */
export const customizeShareX = (
  file: ShareX,
  { name, token }: { readonly name: string; readonly token?: string | undefined },
): ShareX => ({
  ...file,
  Name: name,
  ...(token !== undefined && { Headers: { [headers.userToken]: token } }),
})

/** A file name with characters that every system allows. */
export const shareXFileName = (name: string) =>
  `${name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-').replace(/^[. -]+|[. -]+$/g, '') || 'svc'}.sxcu`
