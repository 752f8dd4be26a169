/** Bytes of a decrypted file, each chunk proven; whether it is whole is known at the end. */
export type Content = AsyncGenerator<Uint8Array<ArrayBuffer>, void>

export interface SaveOptions {
  readonly content: Content
  /** Bytes of the content; undefined while unknown. */
  readonly size: number | undefined
  readonly signal: AbortSignal
}

/** A place that a decrypted file goes to. A content that breaks off, or is not whole, never becomes a finished file. */
export interface Target {
  /** @throws errors of the content; the signal's reason; SavingError */
  readonly save: (saving: SaveOptions) => Promise<void>
  /** Nothing will be saved after all. */
  readonly abandon: () => Promise<void>
}

/**
 * - `not_taken`: the browser would not have the file this way, and nothing of it was read
 * - `too_large`: it does not fit into memory
 * - `given_up`: the user cancelled it, here or in the browser's download list
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
