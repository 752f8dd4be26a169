/** The mark in the link of an upload whose manifest is proven by its passphrase. Other marks are public keys. */
export const passphraseMark = '1'
