import { getRandomValues } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { argon2Passwords, type PasswordCost } from './auth/passwords.ts'
import { instanceSignatures, type InstanceSignatures } from './auth/instance-signatures.ts'
import { identityProviders } from './auth/providers/open-providers.ts'
import type { Parts } from './check/parts.ts'
import { sessionTokens } from './auth/session-token.ts'
import type { Config } from './config/config.ts'
import { awayStoreWatch } from './core/away-store.ts'
import { clean, type OnProgress } from './core/clean.ts'
import { clientBuilds } from './core/client-builds.ts'
import { databaseSpace } from './core/database-space.ts'
import { openDatabaseClock } from './core/database-clock.ts'
import { dailyFigures, keepDailyFigures } from './core/daily-figures.ts'
import { ensureDefaultAdmin } from './core/default-admin.ts'
import { directDownloadsFault } from './core/direct-download.ts'
import { announcedElsewhere } from './core/announced.ts'
import { budgets, keepBudgets } from './core/budgets.ts'
import { freeSpaceGuard } from './core/free-space.ts'
import { impairmentsOf } from './core/impairments.ts'
import { startSignsOfLife } from './core/instance.ts'
import { fairShare } from './core/fair-share.ts'
import { cleaningRequests, keepClean } from './core/keep-clean.ts'
import { readiness } from './core/readiness.ts'
import { receptions } from './core/receptions.ts'
import { writeTurns } from './core/resumable/turns.ts'
import { rowSpace } from './core/row-space.ts'
import type { Service } from './core/service.ts'
import { keepVerified } from './core/verify/keep-verified.ts'
import { watchStreams } from './core/watch-streams.ts'
import { openDataBackend } from './data/open.ts'
import { streamPipe } from './data/pipe.ts'
import { streamRelay } from './data/relay.ts'
import { watchedBackend } from './data/watched.ts'
import { addressMatcher } from './domain/addresses.ts'
import type { Clock } from './domain/clock.ts'
import { stopping } from './domain/errors.ts'
import { randomId, randomText } from './domain/ids.ts'
import { createApp } from './http/app.ts'
import { startRelayListener } from './http/relay-listener.ts'
import { bufferPool } from './io/buffer-pool.ts'
import { compactHeap } from './io/compact-heap.ts'
import { hasherPool } from './io/hasher-pool.ts'
import { letGoOf } from './io/let-go-of.ts'
import { liveHashes } from './io/live-hashes.ts'
import { peerWatch } from './io/peer-watch.ts'
import { qrCodes } from './io/qr-codes.ts'
import { pooledRandom } from './io/pooled-random.ts'
import { systemClock } from './io/system-clock.ts'
import { createLogger } from './log.ts'
import { lookAtDatabase } from './metadata/look.ts'
import { openMetadataStore, type OpenMetadataStore } from './metadata/store.ts'
import { openDialect, type Purpose } from './metadata/dialects/open.ts'
import type { WorkerPlace } from './workers/place.ts'
import { watchedDialect, type DatabaseWatcher } from './metadata/dialects/watched.ts'
import type { Logger } from 'pino'
import { createMeters, tellMetrics } from './metrics/start.ts'
import type { Meters } from './metrics/meters.ts'
import { openWholeTables, type WholeTables } from './metadata/whole-tables.ts'

export interface RunningServer {
  /** Where it listens, with the path prefix. */
  readonly url: string
  /** Logs what failed outside of any request. */
  readonly failed: (reason: unknown) => void
  /** Lets running transfers finish for `shutdownTimeout` seconds, then cuts them, and lets go of everything. */
  close(): Promise<void>
}

/** What a test may bring instead of the real thing, and where the process stands. */
export interface Surroundings {
  /** One without a monotonic clock is the time of machine and database at once. */
  readonly clock?: Clock
  readonly data?: Service['data']
  readonly passwordCost?: PasswordCost
  /** Sees each statement that the database is asked. */
  readonly databaseWatcher?: DatabaseWatcher
  /** Which one this process is among those that share the port. */
  readonly place?: WorkerPlace
}

/**
 * Starts the service: the one place that knows every part.
 * @throws when the database or the data store cannot be opened, or the port is taken
 */
export async function startServer(config: Config, surroundings: Surroundings = {}): Promise<RunningServer> {
  const meters = config.metrics === null ? undefined : await createMeters()
  const { service, store, signatures } = await createService(config, surroundings, meters)
  const { clock, databaseClock, log } = service
  await ensureDefaultAdmin(service)
  const relay = await openRelay(service, signatures, surroundings.place?.index ?? 0)
  const signs = await startSignsOfLife(service, relay?.url ?? '')
  const stopWatching = [watchStreams(service), service.turns.watch()]
  const stopCounting = [keepDailyFigures(clock, service.daily), keepBudgets(clock, service.budgets)]
  const stopStatistics = clock.every(statisticsMs, () => {
    keepStatistics(store, log)
  })
  const app = await createApp(service, tlsOf(config), meters?.watchRequest)
  const stopCleaning = keepClean({
    clock,
    log,
    interval: config.cleaningInterval,
    mayClean: async () => {
      await databaseClock.measure()
      return databaseClock.isTrusted()
    },
    requests: service.cleaningRequests,
    clean: (signal) => {
      const cleaning = (onProgress?: OnProgress) =>
        service.databaseSpace.watch(
          clean(
            { ...service, signal, rest: fairShare(signal), ...(onProgress && { onProgress }) },
            signs.mayJudge(),
          ),
        )
      return meters?.watchCleaning(cleaning) ?? cleaning()
    },
  })
  // What an instance that was killed has left to do.
  if (await service.store.removals.any()) service.cleaningRequests.request()
  const stopVerifying = keepVerified(service, meters?.verification)
  const metrics = await tellMetrics(service, meters, { isWorker: surroundings.place !== undefined })
  // Before anybody is served: whoever asks first would wait for it, 0.1 s.
  compactHeap()
  await app.listen({ host: config.listenAddress, port: config.listenPort })
  const url = urlOf(config, app.server.address() as AddressInfo)
  log.info({ url }, 'listening')

  return {
    url,
    failed: (reason) => {
      log.error({ err: reason }, 'something failed that nobody waited for')
    },
    async close() {
      log.info('stopping, running transfers may finish')
      service.readiness.stop()
      // Who waits for a downloader can wait at another instance.
      service.pipe.close(stopping())
      const cleaned = Promise.all([stopCleaning(), stopVerifying()])
      const late = Promise.withResolvers<undefined>()
      const cut = setTimeout(() => {
        app.server.closeAllConnections()
        late.resolve(undefined)
      }, config.shutdownTimeout * 1000)
      await app.close()
      await Promise.race([cleaned, late.promise])
      clearTimeout(cut)
      for (const stop of stopWatching) stop()
      stopStatistics()
      await relay?.close()
      await Promise.all(stopCounting.map((stop) => stop()))
      await signs.forget()
      await service.hashers.close()
      await service.qrCodes.close()
      await store.close()
      await metrics?.close()
      log.info('stopped')
    },
  }
}

/** Between two looks at what the tables of the database hold. */
const statisticsMs = 3_600_000

function keepStatistics(store: OpenMetadataStore, log: Logger): void {
  store.keepStatistics().catch((error: unknown) => {
    log.warn({ err: error }, 'database statistics not updated')
  })
}

/** Streams cross instances only where there are streams. */
const openRelay = (service: Service, signatures: InstanceSignatures, worker: number) =>
  service.config.features.feature_stream === 'disabled'
    ? undefined
    : startRelayListener(service, signatures, { address: service.config.instanceURL, worker })

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

/** The parts that can be looked at without a change to any. */
export function partsToCheck(config: Config): Parts {
  return {
    data: () => openDataBackend(config.dataBackend, systemClock, getRandomValues),
    database: async () => lookAtDatabase(await openDialect(config.metadataBackend, 'look', () => undefined)),
    providers: identityProviders(config.accounts.providers),
    random: getRandomValues,
  }
}

/** Of Base62: as much chance as the 256 bits of the signature. */
const sessionKeyLength = 43

async function createService(
  config: Config,
  surroundings: Surroundings,
  meters?: Meters,
): Promise<{
  readonly service: Service
  readonly store: OpenMetadataStore
  readonly signatures: InstanceSignatures
}> {
  const machine = surroundings.clock ?? systemClock
  const backend = surroundings.data ?? (await openDataBackend(config.dataBackend, machine, getRandomValues))
  const data = meters === undefined ? backend : watchedBackend(backend, meters.watchStore)
  const log = await createLogger(config)
  const fault = directDownloadsFault(config, data)
  if (fault !== null) log.warn(fault)
  const dialect = await dialectOf(config, 'service', log)
  const watcher = surroundings.databaseWatcher ?? meters?.database
  const store = await openMetadataStore(watcher === undefined ? dialect : watchedDialect(dialect, watcher))
  const databaseClock = await openDatabaseClock({ machine, read: store.time, log })
  const { clock, durations } = databaseClock
  const random = pooledRandom(getRandomValues)
  const sessionKey = await store.settings.findOrInsert('sessionKey', randomText(random, sessionKeyLength))
  const signatures = instanceSignatures(sessionKey, clock, random)
  const whitelisted = addressMatcher(config.uploadWhitelist)
  const hashers = hasherPool()
  const instance = randomId(random)
  const space = databaseSpace(log)
  const freeSpace = freeSpaceGuard({
    data,
    reserve: config.minFreeSpace,
    clock: durations,
    announcedElsewhere: () => announcedElsewhere({ store, clock, config, instance }),
  })
  const received = receptions()
  const service: Service = {
    config,
    store,
    data,
    pipe: streamPipe(),
    relay: streamRelay(signatures, letGoOf),
    peers: peerWatch(durations),
    freeSpace,
    rowSpace: rowSpace({ freeSpace: store.freeSpace, reserve: config.minFreeSpace, clock: durations }),
    databaseSpace: space,
    awayStore: awayStoreWatch(data, durations),
    readiness: readiness({
      ...{ store, data, clock: durations, log },
      impairments: () => impairmentsOf({ databaseClock, freeSpace, databaseSpace: space }),
    }),
    clients: clientBuilds(config.clientsDirectory),
    passwords: argon2Passwords(durations, surroundings.passwordCost),
    qrCodes: qrCodes(),
    sessionTokens: sessionTokens(sessionKey, clock),
    providers: identityProviders(config.accounts.providers),
    hashers,
    liveHashes: liveHashes(hashers),
    buffers: bufferPool(),
    mayUploadFrom: (address) => config.uploadWhitelist.length === 0 || whitelisted(address),
    hasNoBudgets: addressMatcher(config.budgets.exempt),
    isTrustedProxy: addressMatcher(config.trustedProxies),
    clock,
    databaseClock,
    random,
    log,
    daily: dailyFigures({
      clock,
      log,
      add: (counted) => store.transaction((transaction) => transaction.dailyFigures.add(counted)),
    }),
    budgets: budgets({
      limits: config.budgets,
      clock,
      log,
      shared: {
        add: (used) => store.transaction((transaction) => transaction.budgets.add(used)),
        totals: (keys) => store.budgets.totals(keys),
      },
    }),
    receptions: received,
    cleaningRequests: cleaningRequests(),
    turns: writeTurns({ store, clock, databaseClock, random, instance, log, receptions: received }),
    instance,
  }
  return { service, store, signatures }
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
