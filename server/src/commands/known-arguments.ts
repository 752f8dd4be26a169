import type { Program } from './program.ts'

/** What the command line was parsed into: options by their names, the rest in `_`. */
type Parsed = Readonly<Record<string, unknown>> & { readonly _: readonly string[] }

/** Ends the process with status 2 when an argument is not the command's: a typo must not be taken for a default. */
export function allowOnly(
  program: Program,
  known: Readonly<Record<string, unknown>>,
  { _: rest, ...given }: Parsed,
): void {
  const unknown = [
    ...Object.keys(given)
      .filter((name) => !(name in known))
      .map((name) => `--${name}`),
    ...rest,
  ]
  if (unknown.length === 0) return
  const options = Object.keys(known).map((name) => `--${name}`)
  program.complain(`unknown argument: ${unknown.join(' ')} (this command takes ${options.join(', ')})`)
  program.exit(2)
}
