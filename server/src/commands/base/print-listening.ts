import type { Config } from '../../config/config.ts'
import type { Program } from './program.ts'

/** Prints the address of a server. With `LogFormat = "json"`, all that it writes is JSON, and the log has the address. */
export function printListening(
  program: Program,
  { logFormat }: Pick<Config, 'logFormat'>,
  url: string,
): void {
  if (logFormat !== 'json') program.print(`svcd listens on ${url}`)
}
