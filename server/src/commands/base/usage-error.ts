/** The command line asks for something that the command does not offer. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
