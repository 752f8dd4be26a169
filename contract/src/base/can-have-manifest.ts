/**
 * Whether an encrypted upload has a manifest. Where downloads are counted, the first recipient would use it up for all others, and
 * the link of a stream is needed before its content is known.
 */
export const canHaveManifest = ({
  stream,
  oneShot,
  maxDownloads,
}: {
  readonly stream?: boolean | undefined
  readonly oneShot?: boolean | undefined
  readonly maxDownloads?: number | undefined
}): boolean => stream !== true && oneShot !== true && maxDownloads === undefined
