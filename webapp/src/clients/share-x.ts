import { headers, type ShareX } from '@svc/contract'

/**
 * The server's file for ShareX under the name that this page goes by.
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

/** A name for the file, of what every system allows in names. */
export const shareXFileName = (name: string) =>
  `${name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-').replace(/^[. -]+|[. -]+$/g, '') || 'svc'}.sxcu`
