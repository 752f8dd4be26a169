import type { ValueParser } from '../values/value-parsers.ts'

/** One configuration key. */
export interface Option<T> {
  readonly kind: ValueParser<T>
  /** As in the configuration file; the parser reads it. */
  readonly default: string | number | boolean | readonly string[]
  /** Description for the reference documentation. */
  readonly help: string
  /** The value is never shown, and can be in a file that `SVCD_…_FILE` names. */
  readonly secret?: true
  /** Base of a relative default; the working directory when absent. */
  readonly defaultBase?: 'server package'
}
