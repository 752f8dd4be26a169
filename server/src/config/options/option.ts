import type { ValueParser } from '../values/value-parsers.ts'

/** One configuration key. */
export interface Option<T> {
  readonly kind: ValueParser<T>
  /** Written as in the configuration file, and read like it. */
  readonly default: string | number | boolean | readonly string[]
  /** Meaning, for the reference documentation. */
  readonly help: string
  /** The value is never shown, and may come from a file that `SVCD_…_FILE` names. */
  readonly secret?: true
  /** Where a relative default starts; the working directory when absent. */
  readonly defaultBase?: 'server package'
}
