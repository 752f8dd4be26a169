/** A stream of a decrypted file. Each chunk is verified; only the end proves that the file is complete. */
export type Content = AsyncGenerator<Uint8Array<ArrayBuffer>, void>

export interface SaveOptions {
  readonly content: Content
  /** Bytes of the content; undefined while unknown. */
  readonly size: number | undefined
  readonly signal: AbortSignal
}

/** Writes a decrypted file. An interrupted or incomplete content never becomes a finished file. */
export interface Target {
  /** @throws errors of the content; the signal's reason; SavingError */
  readonly save: (saving: SaveOptions) => Promise<void>
  /** Removes the unfinished file, where there is one. */
  readonly cancel: () => Promise<void>
}

/**
 * - `not_taken`: the browser does not support this way, and no bytes were read
 * - `too_large`: the file does not fit into memory
 * - `given_up`: the user cancelled, on the page or in the browser's list of downloads
 */
export type SavingErrorCode = 'not_taken' | 'too_large' | 'given_up'

/** Why a decrypted file was not saved. */
export class SavingError extends Error {
  override readonly name = 'SavingError'
  readonly code: SavingErrorCode

  constructor(code: SavingErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
