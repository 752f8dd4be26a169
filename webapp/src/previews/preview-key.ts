/** What the files of an encrypted upload are encrypted with, and so their previews. */
export type PreviewKey = { readonly passphrase: string } | { readonly recipient: string }
