import type { Logger } from 'pino'
import type { Passwords } from '../auth/passwords.ts'
import type { ForeignProvider } from '../auth/providers/open-providers.ts'
import type { IdentityProvider } from '../auth/providers/provider.ts'
import type { SessionTokens } from '../auth/session-token.ts'
import type { Config } from '../config/config.ts'
import type { DataBackend } from '../data/backend.ts'
import type { StreamPipe, StreamRelay } from '../data/backend-pipe.ts'
import type { Clock } from '../domain/clock.ts'
import type { Random } from '../domain/ids.ts'
import type { BufferPool } from '../io/buffer-pool.ts'
import type { HasherPool } from '../io/hasher-pool.ts'
import type { LiveHashes } from '../io/live-hashes.ts'
import type { PeerWatch } from '../io/peer-watch.ts'
import type { QrCodes } from '../io/qr-codes.ts'
import type { MetadataStore } from '../metadata/store.ts'
import type { Budgets } from './budgets.ts'
import type { CleaningRequests } from './keep-clean.ts'
import type { AwayStoreWatch } from './away-store.ts'
import type { ClientBuilds } from './client-builds.ts'
import type { DatabaseClock } from './database-clock.ts'
import type { DatabaseSpace } from './database-space.ts'
import type { DailyFigures } from './daily-figures.ts'
import type { FreeSpace } from './free-space.ts'
import type { Receptions } from './receptions.ts'
import type { Readiness } from './readiness.ts'
import type { RowSpace } from './row-space.ts'
import type { WriteTurns } from './resumable/turns.ts'

/** Everything the verbs of the service work with; made once, by the composition root. */
export interface Service {
  readonly config: Config
  readonly store: MetadataStore
  readonly data: DataBackend
  /** Streams whose sender is at this process, and at others. */
  readonly pipe: StreamPipe
  readonly relay: StreamRelay
  readonly peers: PeerWatch
  readonly freeSpace: FreeSpace
  /** Of the database. */
  readonly rowSpace: RowSpace
  readonly databaseSpace: DatabaseSpace
  readonly awayStore: AwayStoreWatch
  readonly readiness: Readiness
  readonly clients: ClientBuilds
  readonly passwords: Passwords
  readonly qrCodes: QrCodes
  readonly sessionTokens: SessionTokens
  readonly providers: Partial<Record<ForeignProvider, IdentityProvider>>
  readonly hashers: HasherPool
  /** Hashes of files that come in pieces. */
  readonly liveHashes: LiveHashes
  readonly buffers: BufferPool
  readonly mayUploadFrom: (address: string) => boolean
  readonly isTrustedProxy: (address: string) => boolean
  /** The time of the database, by which all instances go. */
  readonly clock: Clock
  readonly databaseClock: DatabaseClock
  readonly random: Random
  readonly log: Logger
  /** What is counted for the figures of each day. */
  readonly daily: DailyFigures
  readonly budgets: Budgets
  readonly hasNoBudgets: (address: string) => boolean
  readonly receptions: Receptions
  /** Where work that is left to the background asks for a cleaning. */
  readonly cleaningRequests: CleaningRequests
  readonly turns: WriteTurns
  /** Id of this process among those on the same database. */
  readonly instance: string
}
