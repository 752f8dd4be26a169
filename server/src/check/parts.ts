import type { ForeignProvider } from '../auth/providers/open-providers.ts'
import type { IdentityProvider } from '../auth/providers/provider.ts'
import type { ConfigOrigin } from '../config/load.ts'
import type { Config } from '../config/config.ts'
import type { DataBackend } from '../data/backend/backend.ts'
import type { Clock } from '../domain/clock.ts'
import type { Random } from '../domain/ids.ts'
import type { DatabaseInspection } from '../metadata/inspect.ts'

/** The real parts of the service, opened when they are looked at. */
export interface Parts {
  readonly data: () => Promise<DataBackend>
  readonly database: () => Promise<DatabaseInspection>
  readonly providers: Partial<Record<ForeignProvider, IdentityProvider>>
  readonly random: Random
}

/** What is looked at. */
export interface Subject {
  readonly config: Config
  readonly origin: ConfigOrigin
  readonly parts: Parts
  readonly clock: Clock
  /** Most files that the process may have open; undefined where nobody tells. */
  readonly openFiles: number | undefined
}
