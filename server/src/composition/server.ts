import { getRandomValues } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { InstanceSignatures } from '../auth/instance-signatures.ts'
import { identityProviders } from '../auth/providers/open-providers.ts'
import type { Components } from '../check/base/context.ts'
import { storedFiles } from '../check/stored-files.ts'
import type { Config } from '../config/config.ts'
import { scheduleActivity } from '../core/activity/activity-log.ts'
import { clean, type OnProgress } from '../core/cleanup/clean.ts'
import { scheduleDailyStats } from '../core/stats/daily-stats-recorder.ts'
import { ensureDefaultAdmin } from '../core/accounts/default-admin.ts'
import { scheduleBudgets } from '../core/limits/budgets.ts'
import { startHeartbeat } from '../core/cluster/heartbeat.ts'
import { yieldToRequests } from '../core/cleanup/yield-to-requests.ts'
import { scheduleCleanup } from '../core/cleanup/schedule.ts'
import { scheduleNotifications } from '../core/notifications/events/schedule.ts'
import type { Base, Service, Streams, Transfers } from '../core/service.ts'
import { scheduleVerification } from '../core/verify/schedule.ts'
import { endRemovedStreams } from '../core/streams/end-removed-streams.ts'
import { openDataBackend } from '../data/open.ts'
import { stopping } from '../domain/errors.ts'
import { mailer } from '../outgoing/mailer.ts'
import { createApp } from '../http/app.ts'
import { startRelayListener } from '../http/relay-listener.ts'
import { compactAfterLoad, mainThread } from '../platform/compact-heap.ts'
import { stopIdleThreads } from '../platform/start-thread.ts'
import { systemClock } from '../platform/system-clock.ts'
import { createLogger } from './log.ts'
import { inspectDatabase } from '../metadata/inspect.ts'
import type { OpenMetadataStore } from '../metadata/store.ts'
import { openDialect } from '../metadata/open-dialect.ts'
import type { Logger } from 'pino'
import { createMeters, exposeMetrics } from '../metrics/start.ts'
import { openBulkTables, type BulkTables } from '../metadata/bulk-tables.ts'
import { createService, dialectOf, type ServiceOverrides } from './create-service.ts'
import { refuseRoot } from './refuse-root.ts'

export interface RunningServer {
  /** The address of the server, with the path prefix. */
  readonly url: string
  /** Logs an unhandled rejection. */
  readonly logUnhandledRejection: (reason: unknown) => void
  /** Lets running transfers finish for `shutdownTimeout` seconds, then cuts them, and releases all resources. */
  close(): Promise<void>
}

/**
 * Starts the service and its background jobs.
 * @throws when the database or the data store cannot be opened, or the port is taken
 */
export async function startServer(config: Config, overrides: ServiceOverrides = {}): Promise<RunningServer> {
  const meters = config.metrics === null ? undefined : await createMeters(config.cleaningInterval)
  const { service, store, signatures } = await createService(config, overrides, meters)
  const { clock, databaseClock, log } = service
  await ensureDefaultAdmin(service)
  const relay = await openRelay(service, signatures, overrides.workerIndex?.index ?? 0)
  const heartbeat = await startHeartbeat(service, relay?.url ?? '')
  const stopWatching = [endRemovedStreams(service), service.uploadLocks.watch()]
  const stopCounting = [
    scheduleActivity(clock, [service.activity, service.arrivals]),
    scheduleDailyStats(clock, service.dailyStats),
    scheduleBudgets(clock, service.budgets),
  ]
  const stopDatabaseStatistics = clock.every(statisticsIntervalMs, () => {
    updateDatabaseStatistics(store, log)
  })
  const stopNotifications = scheduleNotifications({ ...service, store: store.background })
  const app = await createApp(service, tlsOf(config), meters?.instrumentRequest)
  const stopCleanup = scheduleCleanup({
    clock,
    log,
    interval: config.cleaningInterval,
    mayClean: async () => {
      await databaseClock.measure()
      return databaseClock.isTrusted()
    },
    requests: service.cleanupRequests,
    clean: (signal) => {
      const cleanup = (onProgress?: OnProgress) =>
        clean(
          { ...service, store: store.background },
          {
            signal,
            pause: yieldToRequests(signal),
            canDeclareDead: heartbeat.canDeclareDead(),
            ...(onProgress && { onProgress }),
          },
        )
      return meters?.instrumentCleanup(cleanup) ?? cleanup()
    },
  })
  // Finish the removals of an instance that was killed.
  if (await service.store.removals.any()) service.cleanupRequests.request()
  const stopVerifying = scheduleVerification(service, meters?.verification)
  const metrics = await exposeMetrics(service, meters, { isWorker: overrides.workerIndex !== undefined })
  const stopCompacting = compactAfterLoad(
    service.clock,
    mainThread(() => trim(service)),
  )
  await app.listen({ host: config.listenAddress, port: config.listenPort })
  const url = urlOf(config, app.server.address() as AddressInfo)
  log.info({ url }, 'listening')
  // Clients learn only that their requests are refused. All workers share the disks.
  if ((overrides.workerIndex?.index ?? 0) === 0) {
    for (const { code, message } of await service.readiness.restrictions()) log.warn({ code }, message)
    // Logs why the server is not ready. It never rejects, and a store that hangs must not delay the start.
    void service.readiness.isReady()
  }

  return {
    url,
    logUnhandledRejection: (reason) => {
      log.error({ err: reason }, 'unhandled rejection')
    },
    async close() {
      log.info('stopping')
      service.readiness.stop()
      // Senders that wait for a recipient can retry with another instance.
      service.pipe.close(stopping())
      service.notifications.streams.close()
      service.uploadEvents.close()
      stopCompacting()
      const jobsStopped = Promise.all([stopCleanup(), stopVerifying(), stopNotifications()])
      const timeout = Promise.withResolvers<undefined>()
      const forceClose = setTimeout(() => {
        app.server.closeAllConnections()
        timeout.resolve(undefined)
      }, config.shutdownTimeout * 1000)
      await app.close()
      await Promise.race([jobsStopped, timeout.promise])
      clearTimeout(forceClose)
      for (const stop of stopWatching) stop()
      stopDatabaseStatistics()
      await relay?.close()
      await Promise.all(stopCounting.map((stop) => stop()))
      await heartbeat.stop()
      await service.hashers.close()
      await service.qrCodes.close()
      await store.close()
      await metrics?.close()
      log.info('stopped')
    },
  }
}

/** Milliseconds between two updates of the database's table statistics. */
const statisticsIntervalMs = 3_600_000

function updateDatabaseStatistics(store: OpenMetadataStore, log: Logger): void {
  store.updateStatistics().catch((error: unknown) => {
    log.warn({ err: error }, 'the statistics of the database could not be updated')
  })
}

/** Without streams, instances need no relay. */
const openRelay = (service: Base & Streams & Transfers, signatures: InstanceSignatures, worker: number) =>
  service.config.features.feature_stream === 'disabled'
    ? undefined
    : startRelayListener(service, signatures, { address: service.config.instanceURL, worker })

/** Gives up idle threads and free buffers. @returns bytes of the buffers */
function trim({ hashers, buffers }: Pick<Service, 'hashers' | 'buffers'>): number {
  stopIdleThreads()
  return hashers.trim() + buffers.trim()
}

/**
 * Runs work on the service without serving requests, then releases all resources.
 * @throws the errors of `work`, and an error when the database or the data store cannot be opened
 */
export async function withService<Result>(
  config: Config,
  work: (service: Service) => Promise<Result>,
  overrides: ServiceOverrides = {},
): Promise<Result> {
  refuseRoot(config, { writesFiles: false })
  const { service, store } = await createService(forCommand(config), {
    isCommand: true,
    ...overrides,
  })
  try {
    return await work(service)
  } finally {
    await service.hashers.close()
    await store.close()
  }
}

/**
 * Runs work on the whole tables of the database.
 * @throws as `withService`
 */
export async function withWholeTables<Result>(
  config: Config,
  work: (tables: BulkTables) => Promise<Result>,
  purpose: 'bulk' | 'bulk read' = 'bulk',
): Promise<Result> {
  refuseRoot(config, { writesFiles: false })
  const tables = await openBulkTables(
    await dialectOf(config, purpose, await createLogger(forCommand(config))),
  )
  try {
    return await work(tables)
  } finally {
    await tables.close()
  }
}

/** A command is run by a person, so its log is readable also where standard error is not a terminal. */
const forCommand = (config: Config): Config => ({
  ...config,
  logFormat: config.logFormat === 'auto' ? 'pretty' : config.logFormat,
})

/** The components of the service for `svcd check`, which changes none of them. */
export function componentsToCheck(config: Config): Components {
  return {
    data: () => openDataBackend(config.dataBackend, systemClock, getRandomValues, { create: false }),
    database: async () =>
      inspectDatabase(await openDialect(config.metadataBackend, 'inspect', () => undefined)),
    providers: identityProviders(config.accounts.providers),
    mailer: config.notifications.mail && mailer(config.notifications.mail),
    storedFiles: storedFiles(config, () =>
      openDataBackend(config.dataBackend, systemClock, getRandomValues, { create: false }),
    ),
    random: getRandomValues,
  }
}

const tlsOf = ({ ssl }: Config) =>
  ssl === null ? null : { cert: readFileSync(ssl.cert), key: readFileSync(ssl.key) }

function urlOf(config: Config, { address, port, family }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address
  return `${config.ssl === null ? 'http' : 'https'}://${host}:${String(port)}${config.path}/`
}
