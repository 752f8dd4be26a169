import type {
  CliLoginRecord,
  FileRecord,
  ResumableRecord,
  SessionRecord,
  TokenRecord,
  UploadRecord,
  UserRecord,
} from '../../domain/records.ts'

/** A server process, with its last sign of life in milliseconds since the epoch. */
export interface InstanceRow {
  readonly id: string
  readonly seenAt: number
  /** Where the others reach it; empty when they cannot. */
  readonly url: string
  /** Which process of its machine it is (platform/process-identity.ts); empty when that is not known. */
  readonly process: string
}

interface SettingRow {
  readonly key: string
  readonly value: string
}

/** How often something was tried; the key is a digest that names whoever tries and what. */
interface AttemptRow {
  readonly key: string
  readonly count: number
  /** End of the window in which they are counted, in milliseconds since the epoch. */
  readonly until: number
}

interface DailyFigureRow {
  /** In UTC, such as 2026-11-21. */
  readonly day: string
  readonly name: string
  readonly value: number
}

/** What was used of a budget in a window of time; the key is a digest that names budget, payer and window. */
interface BudgetRow {
  readonly key: string
  readonly used: number
  /** End of the window in milliseconds since the epoch. */
  readonly until: number
}

/** A part of the sum of what somebody has stored; the parts of one owner add up. */
export interface TotalsRow {
  /** Id of a user, or one of `owners` (totals.ts). */
  readonly owner: string
  readonly shard: number
  /** In the sum of all users: how many there are. */
  readonly users: number
  readonly uploads: number
  readonly files: number
  /** Bytes. */
  readonly size: number
}

/** What uploads that a mass removal hides still have in kept figures, until batches remove them. */
export interface HiddenFigures {
  /** Bytes of the owner's quota. */
  readonly usedSize: number
  /** In the counters, as in `TotalsRow`. */
  readonly uploads: number
  readonly files: number
  readonly size: number
}

/** A user whose uploads are being removed all at once. */
export interface RemovalRow extends HiddenFigures {
  readonly userId: string
  /** Uploads of a lower generation are removed, whatever their own row says. */
  readonly generation: number
  /** Milliseconds since the epoch. */
  readonly requestedAt: number
}

/** Tables and their columns, named as the code names them: one shape from the disk to the rules. */
export interface Schema {
  readonly uploads: UploadRecord
  readonly files: FileRecord
  readonly resumables: ResumableRecord
  readonly instances: InstanceRow
  readonly settings: SettingRow
  readonly users: UserRecord
  readonly sessions: SessionRecord
  readonly tokens: TokenRecord
  readonly cliLogins: CliLoginRecord
  readonly attempts: AttemptRow
  readonly budgets: BudgetRow
  readonly dailyFigures: DailyFigureRow
  readonly totals: TotalsRow
  readonly removals: RemovalRow
}
