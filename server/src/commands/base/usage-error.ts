/** The command line is invalid for the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
