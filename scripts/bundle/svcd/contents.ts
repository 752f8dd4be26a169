/** Names in an executable of the server, for the scripts that make it and for the executable. */

/** Name of the asset with the settings. The names of the others are paths in the product. */
export const settingsAsset = 'executable-settings.json'

/** A CommonJS module in the folder of the product, which exports the promise of its import of the server. */
export const startModule = 'start.cjs'

export interface Settings {
  /** Of the contained files, in hexadecimal: the name of the folder into which they are unpacked. */
  readonly hash: string
  /** Of the contained files, in bytes by path: looking for a file in an executable takes longer. */
  readonly sizes: Readonly<Record<string, number>>
  /** Variables that the environment of the process needs. */
  readonly environment: Readonly<Record<string, string>>
}
