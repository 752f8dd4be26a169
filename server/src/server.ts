import { getRandomValues } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { argon2Passwords } from './auth/passwords.ts'
import { identityProviders } from './auth/providers/open-providers.ts'
import { sessionTokens } from './auth/session-token.ts'
import type { Config } from './config/config.ts'
import { clean, type CleaningReport } from './core/clean.ts'
import { ensureDefaultAdmin } from './core/default-admin.ts'
import { freeSpaceGuard } from './core/free-space.ts'
import { startSignsOfLife } from './core/instance.ts'
import type { Service } from './core/service.ts'
import { openDataBackend } from './data/open.ts'
import { addressMatcher } from './domain/addresses.ts'
import type { Clock } from './domain/clock.ts'
import { randomId, randomText } from './domain/ids.ts'
import { createApp } from './http/app.ts'
import { bufferPool } from './io/buffer-pool.ts'
import { hasherPool } from './io/hasher-pool.ts'
import { systemClock } from './io/system-clock.ts'
import { createLogger } from './log.ts'
import { openMetadataStore, type OpenMetadataStore } from './metadata/store.ts'
import { openDialect, type Purpose } from './metadata/dialects/open.ts'
import type { Logger } from 'pino'
import { openWholeTables, type WholeTables } from './metadata/whole-tables.ts'

export interface RunningServer {
  /** Where it listens, with the path prefix. */
  readonly url: string
  /** Lets running transfers finish for `shutdownTimeout` seconds, then cuts them, and lets go of everything. */
  close(): Promise<void>
}

/** What a test may bring instead of the real thing. */
export interface Surroundings {
  readonly clock?: Clock
  readonly data?: Service['data']
}

/**
 * Starts the service: the one place that knows every part.
 * @throws when the database or the data store cannot be opened, or the port is taken
 */
export async function startServer(config: Config, surroundings: Surroundings = {}): Promise<RunningServer> {
  const { service, store } = await createService(config, surroundings)
  const { clock, log } = service
  await ensureDefaultAdmin(service)
  const forget = await startSignsOfLife(service)
  const app = await createApp(service, tlsOf(config))
  const stopCleaning = clock.every(config.cleaningInterval * 1000, () => {
    clean(service).catch((error: unknown) => {
      log.error({ err: error }, 'cleaning failed, it is tried again')
    })
  })
  await app.listen({ host: config.listenAddress, port: config.listenPort })
  const url = urlOf(config, app.server.address() as AddressInfo)
  log.info({ url }, 'listening')

  return {
    url,
    async close() {
      log.info('stopping, running transfers may finish')
      const cut = setTimeout(() => {
        app.server.closeAllConnections()
      }, config.shutdownTimeout * 1000)
      await app.close()
      clearTimeout(cut)
      stopCleaning()
      await forget()
      await service.hashers.close()
      await store.close()
      log.info('stopped')
    },
  }
}

/**
 * Does some work with the service without serving, and lets go of everything afterwards.
 * @throws what the work throws, or when the database or the data store cannot be opened
 */
export async function withService<Result>(
  config: Config,
  work: (service: Service) => Promise<Result>,
  surroundings: Surroundings = {},
): Promise<Result> {
  const { service, store } = await createService(config, surroundings)
  try {
    return await work(service)
  } finally {
    await service.hashers.close()
    await store.close()
  }
}

/** Runs one cleaning without serving. */
export const cleanOnce = (config: Config, surroundings: Surroundings = {}): Promise<CleaningReport> =>
  withService(config, clean, surroundings)

/** Does some work with the tables of the database as a whole. @throws as `withService` */
export async function withWholeTables<Result>(
  config: Config,
  work: (tables: WholeTables) => Promise<Result>,
): Promise<Result> {
  const tables = await openWholeTables(await dialectOf(config, 'bulk', await createLogger(config)))
  try {
    return await work(tables)
  } finally {
    await tables.close()
  }
}

/** Of Base62: as much chance as the 256 bits of the signature. */
const sessionKeyLength = 43

async function createService(
  config: Config,
  surroundings: Surroundings,
): Promise<{ readonly service: Service; readonly store: OpenMetadataStore }> {
  const clock = surroundings.clock ?? systemClock
  const data = surroundings.data ?? (await openDataBackend(config.dataBackend, clock))
  const log = await createLogger(config)
  const store = await openMetadataStore(await dialectOf(config, 'service', log))
  const random = getRandomValues
  const sessionKey = await store.settings.findOrInsert('sessionKey', randomText(random, sessionKeyLength))
  const whitelisted = addressMatcher(config.uploadWhitelist)
  const service: Service = {
    config,
    store,
    data,
    freeSpace: freeSpaceGuard(data, config.minFreeSpace, clock),
    passwords: argon2Passwords(clock),
    sessionTokens: sessionTokens(sessionKey, clock),
    providers: identityProviders(config.accounts.providers),
    hashers: hasherPool(),
    buffers: bufferPool(),
    mayUploadFrom: (address) => config.uploadWhitelist.length === 0 || whitelisted(address),
    isTrustedProxy: addressMatcher(config.trustedProxies),
    clock,
    random,
    log,
    instance: randomId(random),
  }
  return { service, store }
}

const dialectOf = ({ metadataBackend }: Config, purpose: Purpose, log: Logger) =>
  openDialect(metadataBackend, purpose, (reason) => {
    log.warn({ err: reason }, 'waiting for the database')
  })

const tlsOf = ({ ssl }: Config) =>
  ssl === null ? null : { cert: readFileSync(ssl.cert), key: readFileSync(ssl.key) }

function urlOf(config: Config, { address, port, family }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address
  return `${config.ssl === null ? 'http' : 'https'}://${host}:${String(port)}${config.path}/`
}
