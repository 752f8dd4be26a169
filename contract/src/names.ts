/** Names of headers and cookies on the wire (specification §4, §5). Header names are lower case, as Node and fetch give them. */
export const headers = {
  userToken: 'x-svctoken',
  uploadToken: 'x-uploadtoken',
  uploadId: 'x-uploadid',
  fileId: 'x-fileid',
  xsrfToken: 'x-xsrftoken',
  paging: 'x-svc-paging',
  impersonate: 'x-svc-impersonate',
  clientApp: 'x-clientapp',
} as const

export const cookies = { session: 'svc-session', xsrf: 'svc-xsrf' } as const

/** Value of the `X-ClientApp` header that the web application sends (specification §4, download rule 4). */
export const webClient = 'web_client'

/** The encryption scheme label that the web application and the command line use. */
export const ageScheme = 'age'

/** Login of a protected upload when the uploader gives only a password. */
export const defaultUploadLogin = 'svc'
