import { printableJson } from '@svc/terminal'
import type { Listing } from '../base/first-rows.ts'
import type { Program } from '../base/program.ts'

/** Prints the result of a command: as JSON for scripts, as text lines for people. */
export function printResult(
  program: Program,
  { json }: { readonly json?: boolean | undefined },
  value: unknown,
  lines: () => readonly string[],
): void {
  if (json === true) program.print(printableJson(value))
  else for (const line of lines()) program.print(line)
}

/** A note when a list has more rows than were printed. */
export const remainder = ({ rows, total, totalIsLowerBound }: Listing<unknown>): string[] => {
  if (rows.length >= total && !totalIsLowerBound) return []
  const ofAll = `${totalIsLowerBound ? 'more than ' : ''}${String(total)}`
  return [`(${String(rows.length)} of ${ofAll}, see --limit)`]
}
