/** A link with what opens its files: the page reads it, and no server ever gets to see it (specification §4). */
export const withKey = (url: string, passphrase: string | undefined): string =>
  passphrase === undefined ? url : `${url}#key=${encodeURIComponent(passphrase)}`
