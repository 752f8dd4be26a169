import type {
  DeliveryRecord,
  EventRecord,
  NotificationSettingsRecord,
  PushSubscriptionRecord,
  WebhookRecord,
} from '../../domain/notification-records.ts'
import type {
  AliasRecord,
  ClaimRecord,
  CliLoginRecord,
  DownloadRecord,
  FileRecord,
  PreviewRecord,
  RequestRecord,
  ResumableRecord,
  SessionRecord,
  TokenRecord,
  UploadRecord,
  UserRecord,
} from '../../domain/records.ts'

/** An instance, with the time of its last heartbeat in milliseconds since the epoch. */
export interface InstanceRow {
  readonly id: string
  readonly seenAt: number
  /** The address under which other instances reach it; empty when they cannot. */
  readonly url: string
  /** Identifies its process on the machine (platform/process-identity.ts); empty when unknown. */
  readonly process: string
}

interface SettingRow {
  readonly key: string
  readonly value: string
}

/** The number of attempts. The key is a digest of the kind of the attempt, the network and the subject. */
interface AttemptRow {
  readonly key: string
  readonly count: number
  /** End of the time window in milliseconds since the epoch. */
  readonly until: number
}

interface DailyFigureRow {
  /** In UTC, such as 2026-11-21. */
  readonly day: string
  readonly name: string
  readonly value: number
}

/** The usage of a budget in a time window. The key is a digest of the budget, the network or user, and the window. */
interface BudgetRow {
  readonly key: string
  readonly used: number
  /** End of the window in milliseconds since the epoch. */
  readonly until: number
}

/** A shard of the counters of an owner; the shards of one owner add up. */
export interface TotalsRow {
  /** The id of a user, or one of `owners` (totals.ts). */
  readonly owner: string
  readonly shard: number
  /** The number of users, in the row of all users. */
  readonly users: number
  readonly uploads: number
  readonly files: number
  /** Bytes. */
  readonly size: number
}

/** The quota and counters of the uploads that a mass removal hides, until batches remove them. */
export interface HiddenStats {
  /** Bytes of the owner's quota. */
  readonly usedSize: number
  /** Counted as in `TotalsRow`. */
  readonly uploads: number
  readonly files: number
  readonly size: number
}

/** A user whose uploads a mass removal removes. */
export interface RemovalRow extends HiddenStats {
  readonly userId: string
  /** Uploads of a lower generation count as removed, even if their row does not say so yet. */
  readonly generation: number
  /** Milliseconds since the epoch. */
  readonly requestedAt: number
}

/** The tables. Columns have the names that the code uses. */
export interface Schema {
  readonly uploads: UploadRecord
  readonly files: FileRecord
  readonly resumables: ResumableRecord
  readonly claims: ClaimRecord
  readonly downloads: DownloadRecord
  readonly aliases: AliasRecord
  readonly previews: PreviewRecord
  readonly requests: RequestRecord
  readonly instances: InstanceRow
  readonly settings: SettingRow
  readonly users: UserRecord
  readonly sessions: SessionRecord
  readonly tokens: TokenRecord
  readonly cliLogins: CliLoginRecord
  readonly webhooks: WebhookRecord
  readonly notificationSettings: NotificationSettingsRecord
  readonly events: EventRecord
  readonly pushSubscriptions: PushSubscriptionRecord
  readonly deliveries: DeliveryRecord
  readonly attempts: AttemptRow
  readonly budgets: BudgetRow
  readonly dailyFigures: DailyFigureRow
  readonly totals: TotalsRow
  readonly removals: RemovalRow
}
