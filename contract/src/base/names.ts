/** Names of headers and cookies on the wire (docs/protocol.md). Header names are lower case, as in Node and fetch. */
export const headers = {
  userToken: 'x-svctoken',
  uploadToken: 'x-uploadtoken',
  requestToken: 'x-requesttoken',
  uploadId: 'x-uploadid',
  fileId: 'x-fileid',
  xsrfToken: 'x-xsrftoken',
  paging: 'x-svc-paging',
  impersonate: 'x-svc-impersonate',
  expectedUser: 'x-svc-expected-user',
  clientApp: 'x-clientapp',
} as const

/** Value of `X-Svc-Expected-User` for a guest. Ids of users have a colon, so this is never one. */
export const expectedGuest = 'guest'

export const cookies = { session: 'svc-session', xsrf: 'svc-xsrf' } as const

/** Value of the `X-ClientApp` header that the web application sends (docs/protocol.md#downloading). */
export const webClient = 'web_client'

/** The label of the encryption scheme of the web application and the command line. */
export const ageScheme = 'age'

/** The name of the manifest of an encrypted upload, a file that binds names to contents (docs/design/manifest.md). */
export const manifestName = '.svc-manifest.age'

/** Whether a file of an upload is its manifest. Plain uploads have none. */
export const isManifest = (
  { e2ee }: { readonly e2ee: string },
  file: { readonly fileName: string },
): boolean => e2ee === ageScheme && file.fileName === manifestName

/** Login of a protected upload when the uploader sets only a password. */
export const defaultUploadLogin = 'svc'
