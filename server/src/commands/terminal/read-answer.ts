import { printableJson } from '@svc/terminal'
import type { Listing } from '../../admin/first-rows.ts'
import type { Program } from '../base/program.ts'

/** Prints what a command found or did: for scripts the value, for eyes the lines. */
export function answer(
  program: Program,
  { json }: { readonly json?: boolean | undefined },
  value: unknown,
  lines: () => readonly string[],
): void {
  if (json === true) program.print(printableJson(value))
  else for (const line of lines()) program.print(line)
}

/** Says so when a listing is not all there is. */
export const remainder = ({ rows, total, totalIsLowerBound }: Listing<unknown>): string[] => {
  if (rows.length >= total && !totalIsLowerBound) return []
  const ofAll = `${totalIsLowerBound ? 'more than ' : ''}${String(total)}`
  return [`(${String(rows.length)} of ${ofAll}, see --limit)`]
}
