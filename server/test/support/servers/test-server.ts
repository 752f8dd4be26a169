import { rm } from 'node:fs/promises'
import { createClient, type Client } from '@svc/sdk'
import type { Config, Features } from '../../../src/config/config.ts'
import { defaultConfig } from '../../../src/config/load.ts'
import { cleanOnce, type CleanupReport } from '../../../src/core/cleanup/clean.ts'
import type { PasswordCost } from '../../../src/auth/passwords.ts'
import type { ServiceOverrides } from '../../../src/composition/create-service.ts'
import { startServer, withService } from '../../../src/composition/server.ts'
import { keptMemoryDirectory } from '../machine/temporary-directory.ts'
import { manualClock, type ManualClock } from '../clocks/manual-clock.ts'

export interface TestServer {
  /** Base URL without a slash at the end. */
  readonly url: string
  readonly client: Client
  readonly clock: ManualClock
  readonly config: Config
  /** The folder of its database and its data. */
  readonly directory: string
  /** One cleanup, at the time of the clock. */
  clean(): Promise<CleanupReport>
  /** Stops it; its directory is removed unless it was given. */
  close(): Promise<void>
}

export interface TestServerOptions extends Omit<ServiceOverrides, 'clock'> {
  readonly config?: Partial<Config>
  readonly features?: Partial<Features>
  readonly clock?: ManualClock
  /** An existing directory, to start a second server on the data of another. */
  readonly directory?: string
}

/** Effectively unlimited, because all requests come from one address, at one time. */
const wideBudgets: Config['budgets'] = {
  uploads: 1e12,
  files: 1e12,
  bytes: 1e15,
  cliCodes: 1e12,
  passwordUploads: 1e12,
  qrCodes: 1e12,
  exempt: [],
}

/** A thousandth of the usual cost of a password; hashes of both contain their cost. */
const cheap: PasswordCost = { memory: 32, passes: 1 }

/** A real server on a free port, on temporary data, with a clock that stands still. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const {
    clock = manualClock(),
    features,
    config: overrides,
    directory: chosenDirectory,
    ...dependencies
  } = options
  const directory = chosenDirectory ?? (await keptMemoryDirectory())
  const defaults = defaultConfig(directory)
  const config: Config = {
    ...defaults,
    listenPort: 0,
    logLevel: 'silent',
    minFreeSpace: 0,
    budgets: wideBudgets,
    // Clocks of tests jump by minutes during a body.
    minUploadSpeed: 0,
    shutdownTimeout: 1,
    ...overrides,
    features: { ...defaults.features, ...features },
  }
  const server = await startServer(config, { passwordCost: cheap, ...dependencies, clock })
  const url = server.url.replace(/\/$/, '')
  return {
    url,
    client: createClient({ baseURL: url }),
    clock,
    config,
    directory,
    clean: () => withService(config, cleanOnce, { ...dependencies, clock }),
    async close() {
      await server.close()
      if (chosenDirectory === undefined) await rm(directory, { recursive: true })
    },
  }
}
