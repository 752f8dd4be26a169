export interface Domains {
  /** Absolute URLs without a path; empty when not configured. */
  readonly svcDomain: string
  readonly downloadDomain: string
  /** URL prefix, empty or `/like/this`. */
  readonly path: string
}

/** The base URL of file and archive links; `undefined` when no domain is configured (docs/protocol.md#upload). */
export function downloadURL({ svcDomain, downloadDomain, path }: Domains): string | undefined {
  const domain = downloadDomain === '' ? svcDomain : downloadDomain
  return domain === '' ? undefined : domain + path
}
