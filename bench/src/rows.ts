export type Unit = 'times' | 'MB/s' | 'requests/s' | 'archives/s' | 'ms' | 's' | 'MB' | 'kB' | 'files'

/** Something measured in turn with its yardstick. */
export interface Comparison {
  readonly kind: 'comparison'
  readonly what: string
  readonly unit: Unit
  /** One figure a round; the n-th of both were measured one after the other. */
  readonly ours: readonly number[]
  readonly yardstick: { readonly name: string; readonly figures: readonly number[] }
  /** Least ratio of ours to the yardstick; without it, the row only informs. */
  readonly atLeast?: number
}

/** Something with a bound of its own. */
export interface Amount {
  readonly kind: 'amount'
  readonly what: string
  readonly unit: Unit
  readonly figure: number
  readonly atMost?: number
  readonly atLeast?: number
}

/** Something that could not be measured. */
export interface Absence {
  readonly kind: 'absence'
  readonly what: string
  readonly why: string
}

export type Row = Comparison | Amount | Absence

/** A benchmark: its name on the command line, and how its rows come about. */
export interface Case<Context> {
  readonly name: string
  /** Whether it runs only when it is asked for. */
  readonly isLong?: boolean
  readonly run: (context: Context) => Promise<readonly Row[]>
}
