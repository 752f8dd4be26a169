/**
 * The passphrase in an address, as the command line reads it: `#…#key=KEY` or `#…&key=KEY`. It extends to the end of the
 * address (docs/protocol.md#the-web-application). Browsers do not send fragments to servers.
 * @param fragment of the address, with its `#`
 */
export function keyIn(fragment: string): string | undefined {
  const written = /[#&]key=(.+)$/s.exec(fragment.slice(1))?.[1]
  if (written === undefined) return undefined
  try {
    return decodeURIComponent(written)
  } catch {
    // Written by hand, with a percent sign in it.
    return written
  }
}
