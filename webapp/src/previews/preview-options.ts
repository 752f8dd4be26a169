import type { LoadConfigurationOnce } from '../api/use-configuration.ts'

/** What the files of an encrypted upload are encrypted with, and so their previews. */
export type PreviewKey = { readonly passphrase: string } | { readonly recipient: string }

export interface PreviewOptions {
  /** Of an encrypted upload. */
  readonly key: PreviewKey | undefined
  readonly loadConfigurationOnce: LoadConfigurationOnce
}
