/** An error of a command, with a sentence for the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  constructor(reason: string, cause?: unknown) {
    super(reason, { cause })
  }
}
