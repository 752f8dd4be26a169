const keyPart = /[#&]key=(.+)$/s

/**
 * The passphrase in an address, as the command line reads it: `#…#key=KEY` or `#…&key=KEY`. It extends to the end of the
 * address (docs/protocol.md#the-web-application). Browsers do not send fragments to servers.
 * @param fragment of the address, with its `#`
 */
export function keyIn(fragment: string): string | undefined {
  const written = keyPart.exec(fragment.slice(1))?.[1]
  if (written === undefined) return undefined
  try {
    return decodeURIComponent(written)
  } catch {
    // Written by hand, with a percent sign in it.
    return written
  }
}

/**
 * The mark of the manifest in an address: `#…&manifest=MARK` or `#…#manifest=MARK`, before the key
 * (docs/design/manifest.md).
 * @param fragment of the address, with its `#`
 */
export const markIn = (fragment: string): string | undefined =>
  /[#?&]manifest=([^#&]*)/.exec(fragment.replace(keyPart, ''))?.[1]
