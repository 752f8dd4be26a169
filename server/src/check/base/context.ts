import type { ExternalProvider } from '../../auth/providers/open-providers.ts'
import type { IdentityProvider } from '../../auth/providers/provider.ts'
import type { ConfigOrigin } from '../../config/load.ts'
import type { Config } from '../../config/config.ts'
import type { DataBackend } from '../../data/backend/backend.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Random } from '../../domain/ids.ts'
import type { Mailer } from '../../outgoing/mailer.ts'
import type { DatabaseInspection } from '../../metadata/inspect.ts'

/** The real components of the service, opened when a check needs them. */
export interface Components {
  readonly data: () => Promise<DataBackend>
  readonly database: () => Promise<DatabaseInspection>
  /** Whether the data directory has files of uploads. Never rejects. */
  readonly storedFiles: () => Promise<boolean>
  readonly providers: Partial<Record<ExternalProvider, IdentityProvider>>
  /** Null without email. */
  readonly mailer: Mailer | null
  readonly random: Random
}

/** What the checks read. */
export interface CheckContext {
  readonly config: Config
  readonly origin: ConfigOrigin
  readonly components: Components
  readonly clock: Clock
  /** Maximum number of open files of the process; undefined where the system does not report it. */
  readonly openFiles: number | undefined
  /** The user of the process; undefined where the system has no such ids. */
  readonly userId: number | undefined
}
