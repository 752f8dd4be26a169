import type { Logger } from 'pino'
import type { ActivityLog } from './activity/activity-log.ts'
import type { ArrivalLog } from './activity/arrival-log.ts'
import type { ArchivePlanner } from './archive/archive-planner.ts'
import type { EmailConfirmations } from '../auth/email-confirmation.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { ExternalProvider } from '../auth/providers/open-providers.ts'
import type { IdentityProvider } from '../auth/providers/provider.ts'
import type { SessionTokens } from '../auth/session-token.ts'
import type { Config } from '../config/config.ts'
import type { DataBackend } from '../data/backend/backend.ts'
import type { StreamPipe, StreamRelay } from '../data/backend/streams.ts'
import type { Clock } from '../domain/clock.ts'
import type { Random } from '../domain/ids.ts'
import type { BufferPool } from '../io/send/buffer-pool.ts'
import type { HasherPool } from '../io/hash/hasher-pool.ts'
import type { ResumableHashes } from '../io/hash/resumable-hashes.ts'
import type { PeerWatch } from '../platform/peer-watch.ts'
import type { QrCodes } from '../qr/qr-codes.ts'
import type { MetadataStore } from '../metadata/store.ts'
import type { Budgets } from './limits/budgets.ts'
import type { CleanupRequests } from './cleanup/schedule.ts'
import type { DataStoreOutageWatch } from './data-store/outage-watch.ts'
import type { MissingFiles } from './data-store/missing-files.ts'
import type { ClientBuilds } from './status/client-builds.ts'
import type { DatabaseClock } from './cluster/database-clock.ts'
import type { DatabaseSpace } from './space/database-space.ts'
import type { SmallFileCache } from './downloads/small-file-cache.ts'
import type { DailyStatsRecorder } from './stats/daily-stats-recorder.ts'
import type { FreeSpace } from './space/free-space.ts'
import type { InFlightUploads } from './uploads/receive/in-flight-uploads.ts'
import type { UploadEventStreams } from './uploads/upload-event-streams.ts'
import type { Readiness } from './status/readiness.ts'
import type { RowSpace } from './space/row-space.ts'
import type { SpaceRefusals } from './space/space-refusals.ts'
import type { Notifications } from './notifications/notifications.ts'
import type { UploadLocks } from './resumable/upload-lock.ts'

/** The components that every area uses. */
export interface Base {
  readonly config: Config
  /** The time of the database, which all instances share. */
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** The id of this instance among those on the same database. */
  readonly instance: string
}

/** The database and its free space. */
export interface Metadata {
  readonly store: MetadataStore
  readonly databaseClock: DatabaseClock
  readonly databaseSpace: DatabaseSpace
  readonly rowSpace: RowSpace
}

/** The components that receive, store and send bytes. */
export interface Transfers {
  readonly data: DataBackend
  readonly smallFiles: SmallFileCache
  readonly missingFiles: MissingFiles
  readonly hashers: HasherPool
  readonly archivePlanner: ArchivePlanner
  /** Hashes of files that arrive in parts. */
  readonly resumableHashes: ResumableHashes
  readonly buffers: BufferPool
  readonly freeSpace: FreeSpace
  readonly dataStoreOutage: DataStoreOutageWatch
  readonly inFlight: InFlightUploads
  readonly uploadLocks: UploadLocks
}

/** Streams, whose senders are connected to this instance or to another one. */
export interface Streams {
  readonly pipe: StreamPipe
  readonly relay: StreamRelay
  readonly peers: PeerWatch
}

/** Passwords, sessions and identity providers. */
export interface Accounts {
  readonly passwords: Passwords
  readonly sessionTokens: SessionTokens
  readonly emailConfirmations: EmailConfirmations
  readonly providers: Partial<Record<ExternalProvider, IdentityProvider>>
}

/** The checks by client address, and the budgets. */
export interface Clients {
  readonly isTrustedProxy: (address: string) => boolean
  readonly mayUploadFrom: (address: string) => boolean
  readonly budgets: Budgets
  readonly isExemptFromBudgets: (address: string) => boolean
}

/** The components for operators and pages. */
export interface Operations {
  readonly spaceRefusals: SpaceRefusals
  readonly readiness: Readiness
  readonly clients: ClientBuilds
  readonly qrCodes: QrCodes
  /** The downloads of each upload. */
  readonly activity: ActivityLog
  /** The files that have arrived for upload requests. */
  readonly arrivals: ArrivalLog
  /** Events for accounts, and the messages about them. */
  readonly notifications: Notifications
  /** Changes of uploads, for pages that show them. */
  readonly uploadEvents: UploadEventStreams
  /** The counters of each day. */
  readonly dailyStats: DailyStatsRecorder
  /** Requests a cleanup for work that was left to the background. */
  readonly cleanupRequests: CleanupRequests
}

/**
 * All components of the service, created once by create-service.ts. A function declares the components or areas that it
 * needs.
 */
export interface Service extends Base, Metadata, Transfers, Streams, Accounts, Clients, Operations {}
