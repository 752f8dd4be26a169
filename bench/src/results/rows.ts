export type Unit =
  | 'times'
  | 'MB/s'
  | 'requests/s'
  | 'archives/s'
  | 'files/s'
  | 'messages/s'
  | 'µs'
  | 'ms'
  | 's'
  | 'MB'
  | 'kB'
  | 'files'
  | 'messages'
  | '%'

/** A measurement in turn with its baseline. */
export interface Comparison {
  readonly kind: 'comparison'
  readonly what: string
  readonly unit: Unit
  /** One value per round; the n-th values of both were measured one after the other. */
  readonly ours: readonly number[]
  readonly baseline: { readonly name: string; readonly measurements: readonly number[] }
  /** Smallest accepted ratio to the baseline; without it, the row has no target. */
  readonly atLeast?: number
}

/** A measurement with an absolute bound. */
export interface Measurement {
  readonly kind: 'measurement'
  readonly what: string
  readonly unit: Unit
  readonly value: number
  readonly atMost?: number
  readonly atLeast?: number
}

/** A case that was not measured, because a program is missing or a response was wrong. Counts as a missed target. */
export interface Unmeasured {
  readonly kind: 'unmeasured'
  readonly what: string
  readonly reason: string
}

export type Row = Comparison | Measurement | Unmeasured

/** A benchmark: its name on the command line, and the function that makes its rows. */
export interface Case<Context> {
  readonly name: string
  /** Whether it runs only when it is named. */
  readonly isLong?: boolean
  /** Whether it needs the address of a peer, and runs when there is one. */
  readonly needsPeer?: boolean
  /** False if it needs none of the programs in `tools.ts`. */
  readonly needsTools?: boolean
  readonly run: (context: Context) => Promise<readonly Row[]>
}
