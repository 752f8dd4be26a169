/** The paths of documents that a server has besides the endpoints. */
export const documentPaths = {
  openApi: '/openapi.json',
  /** The reference page of the API, a folder. */
  reference: '/docs',
  /** The folder of the release notes. */
  releaseNotes: '/changelog',
} as const
