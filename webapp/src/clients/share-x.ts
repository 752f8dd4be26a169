import { headers } from '@svc/contract'

/**
 * A configuration for ShareX (its custom uploaders, format of version 14): a double click on the file installs it.
 * @param token user token that is sent along; whoever gets the file can send with it
 */
export function shareXConfiguration({
  baseURL,
  name,
  token,
}: {
  readonly baseURL: string
  readonly name: string
  readonly token?: string | undefined
}) {
  const page = `${baseURL}/#/?id={header:${headers.uploadId}}&uploadToken={header:${headers.uploadToken}}`
  return {
    Version: '14.0.0',
    Name: name,
    DestinationType: 'ImageUploader, TextUploader, FileUploader',
    RequestMethod: 'POST',
    RequestURL: `${baseURL}/`,
    ...(token !== undefined && { Headers: { [headers.userToken]: token } }),
    Body: 'MultipartFormData',
    FileFormName: 'file',
    // The answer is the link and the end of its line; the dot stops before that.
    URL: '{regex:http.+}',
    // A page with a button, since a link that is only looked at must not remove anything.
    DeletionURL: page,
    ErrorMessage: '{response}',
  } as const
}

/** A name for the file, of what every system allows in names. */
export const shareXFileName = (name: string) =>
  `${name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-').replace(/^[. -]+|[. -]+$/g, '') || 'svc'}.sxcu`
