import type { OptionKey } from '../options/options.ts'

/** Values that are valid alone and wrong together. */
export interface CrossFieldProblem {
  /** The key to change. */
  readonly key: OptionKey
  /** The keys that make its value wrong. */
  readonly because: readonly OptionKey[]
  readonly message: string
}
