import { getRandomValues } from 'node:crypto'
import { limits } from '@svc/contract'
import { activityLog } from '../core/activity/activity-log.ts'
import { arrivalLog } from '../core/activity/arrival-log.ts'
import { archivePlanner } from '../core/archive/archive-planner.ts'
import { emailConfirmations } from '../auth/email-confirmation.ts'
import { argon2Passwords, type PasswordCost } from '../auth/passwords.ts'
import { instanceSignatures, type InstanceSignatures } from '../auth/instance-signatures.ts'
import { identityProviders } from '../auth/providers/open-providers.ts'
import { sessionTokens } from '../auth/session-token.ts'
import type { Config } from '../config/config.ts'
import { dataStoreOutageWatch } from '../core/data-store/outage-watch.ts'
import { missingFiles } from '../core/data-store/missing-files.ts'
import { clientBuilds } from '../core/status/client-builds.ts'
import { databaseSpace } from '../core/space/database-space.ts'
import { openDatabaseClock } from '../core/cluster/database-clock.ts'
import { dailyStatsRecorder } from '../core/stats/daily-stats-recorder.ts'
import { directDownloadsFault } from '../core/downloads/presigned-download.ts'
import { smallFileCache } from '../core/downloads/small-file-cache.ts'
import { announcedBytes } from '../core/space/announced-bytes.ts'
import { budgets } from '../core/limits/budgets.ts'
import { freeSpaceGuard } from '../core/space/free-space.ts'
import { hasProgramFiles } from '../platform/program-files.ts'
import { restrictionsOf } from '../core/status/restrictions.ts'
import { cleanupRequests } from '../core/cleanup/schedule.ts'
import { readiness } from '../core/status/readiness.ts'
import { createNotifications } from '../core/notifications/notifications.ts'
import { inFlightUploads } from '../core/uploads/receive/in-flight-uploads.ts'
import { uploadEventStreams } from '../core/uploads/upload-event-streams.ts'
import { uploadLocks } from '../core/resumable/upload-lock.ts'
import { rowSpace } from '../core/space/row-space.ts'
import { spaceRefusals } from '../core/space/space-refusals.ts'
import type { Service } from '../core/service.ts'
import { openDataBackend } from '../data/open.ts'
import { streamPipe } from '../data/streams/pipe.ts'
import { streamRelay } from '../data/streams/relay.ts'
import { instrumentedBackend } from '../data/instrumented.ts'
import { addressMatcher } from '../domain/access/addresses.ts'
import type { Clock } from '../domain/clock.ts'
import { randomId, randomText } from '../domain/ids.ts'
import { bufferPool } from '../io/send/buffer-pool.ts'
import { hasherPool } from '../io/hash/hasher-pool.ts'
import { detachBuffer } from '../io/detach-buffer.ts'
import { resumableHashes } from '../io/hash/resumable-hashes.ts'
import { newVapidKey, vapid } from '../outgoing/push/vapid.ts'
import { peerWatch } from '../platform/peer-watch.ts'
import { qrCodes } from '../qr/qr-codes.ts'
import { randomPool } from '../platform/random-pool.ts'
import { systemClock } from '../platform/system-clock.ts'
import { reasonsOf } from '../check/base/reasons.ts'
import { createLogger } from './log.ts'
import { openMetadataStore, type OpenMetadataStore } from '../metadata/store.ts'
import { openDialect, type Purpose } from '../metadata/open-dialect.ts'
import { watchFailures } from '../metadata/dialects/watch-failures.ts'
import type { WorkerIndex } from '../workers/worker-index.ts'
import { instrumentedDialect, type DatabaseObserver } from '../metadata/dialects/instrumented.ts'
import type { Logger } from 'pino'
import type { Meters } from '../metrics/meters.ts'

/** Replacements for tests, and the index of this worker process. */
export interface ServiceOverrides {
  /** A clock without `monotonic` is the clock of both machine and database. */
  readonly clock?: Clock
  readonly data?: Service['data']
  readonly passwordCost?: PasswordCost
  /** Observes each database statement. */
  readonly databaseWatcher?: DatabaseObserver
  /** The index of this process among those that share the port. */
  readonly workerIndex?: WorkerIndex
  /** Commands work on what is there: only the server creates a missing data directory or container, and migrates a database. */
  readonly isCommand?: boolean
  /** A command that changes nothing also works on a full disk. */
  readonly readsOnly?: boolean
}

/** Base62 digits, with the entropy of the 256 bits of the signature. */
const sessionKeyLength = 43

/** Creates the components of the service and wires them. */
export async function createService(
  config: Config,
  overrides: ServiceOverrides,
  meters?: Meters,
): Promise<{
  readonly service: Service
  readonly store: OpenMetadataStore
  readonly signatures: InstanceSignatures
}> {
  const machine = overrides.clock ?? systemClock
  const { isCommand = false, readsOnly = false } = overrides
  const backend =
    overrides.data ??
    (await openDataBackend(config.dataBackend, machine, getRandomValues, {
      // A directory or container is created below, once the database can say whether it should have files.
      create: false,
      workers: isCommand ? 1 : config.workers,
    }))
  const data = meters === undefined ? backend : instrumentedBackend(backend, meters.watchDataStore)
  const log = await createLogger(config)
  const directDownloadsProblem = directDownloadsFault(config, data)
  if (directDownloadsProblem !== null) log.warn(directDownloadsProblem)
  const databaseSpaceWatch = databaseSpace(log)
  const configured = await dialectOf(config, readsOnly ? 'read' : 'service', log)
  // Commands, and servers that cannot open their database, print why they failed.
  let isWatched = false
  const onFailure = (error: unknown) => {
    if (isWatched) databaseSpaceWatch.report(error)
  }
  const dialect = watchFailures(configured, onFailure)
  const watcher = overrides.databaseWatcher ?? meters?.database
  const store = await openMetadataStore(
    watcher === undefined ? dialect : instrumentedDialect(dialect, watcher),
    { missingMigrations: isCommand ? 'refuse' : 'apply', onFailure },
  )
  isWatched = !isCommand
  // Where the directory or container of files is missing, a disk may not be mounted, or the configuration may name another
  // one: in a new one, all files would count as lost.
  if (!isCommand && backend.createMissing !== undefined && !(await store.totals.hasFiles()))
    await backend.createMissing()
  const databaseClock = await openDatabaseClock({ machine, read: store.time, log })
  const { clock, durations } = databaseClock
  const random = randomPool(getRandomValues)
  const sessionKey = await store.settings.findOrInsert('sessionKey', randomText(random, sessionKeyLength))
  const signatures = instanceSignatures(sessionKey, clock, random)
  const whitelisted = addressMatcher(config.uploadWhitelist)
  const hashers = hasherPool()
  const instance = randomId(random)
  const isExemptFromBudgets = addressMatcher(config.budgets.exempt)
  const freeSpace = freeSpaceGuard({
    data,
    minFreeSpace: config.minFreeSpace,
    clock: durations,
    announcedElsewhere: () => announcedBytes({ store, clock, config, instance, isExemptFromBudgets }),
  })
  const rows = rowSpace({ freeSpace: store.freeSpace, minFreeSpace: config.minFreeSpace, clock: durations })
  const inFlight = inFlightUploads()
  const confirmations = emailConfirmations(sessionKey, clock)
  const notifications = createNotifications({
    store: store.background,
    requestStore: store,
    clock,
    random,
    log,
    config: config.notifications,
    confirmations,
    vapid: vapid(
      await store.settings.findOrInsert('vapidKey', newVapidKey()),
      config.svcDomain.startsWith('https:') ? config.svcDomain : null,
    ),
    serviceURL: `${config.svcDomain}${config.path}/`,
  })
  const service: Service = {
    config,
    store,
    data,
    smallFiles: smallFileCache(data, durations),
    missingFiles: missingFiles({ store, log, clock: durations }),
    pipe: streamPipe(),
    relay: streamRelay(signatures, detachBuffer),
    peers: peerWatch(durations),
    freeSpace,
    rowSpace: rows,
    databaseSpace: databaseSpaceWatch,
    dataStoreOutage: dataStoreOutageWatch(data, durations),
    readiness: readiness({
      store,
      data,
      clock: durations,
      log,
      restrictions: () =>
        restrictionsOf({
          databaseClock,
          freeSpace,
          rowSpace: rows,
          databaseSpace: databaseSpaceWatch,
          hasProgramFiles,
        }),
    }),
    spaceRefusals: spaceRefusals(durations, log),
    clients: clientBuilds(config.clientsDirectory),
    passwords: argon2Passwords(durations, overrides.passwordCost),
    qrCodes: qrCodes(),
    sessionTokens: sessionTokens(sessionKey, clock),
    emailConfirmations: confirmations,
    providers: identityProviders(config.accounts.providers),
    hashers,
    archivePlanner: archivePlanner(),
    resumableHashes: resumableHashes(hashers),
    buffers: bufferPool(),
    mayUploadFrom: (address) => config.uploadWhitelist.length === 0 || whitelisted(address),
    isExemptFromBudgets,
    isTrustedProxy: addressMatcher(config.trustedProxies),
    clock,
    databaseClock,
    random,
    log,
    activity: activityLog({
      clock,
      random,
      log,
      withAddresses: config.activityAddresses,
      add: async (rows) => {
        const hasMessages = await store.background.transaction(
          async (transaction) => {
            const isPublished = await notifications.addDownloads(transaction, rows)
            await transaction.downloads.trim(rows, limits.downloadsPerUpload)
            return isPublished
          },
          { isDurable: false },
        )
        if (hasMessages) notifications.outbox.wake()
      },
    }),
    arrivals: arrivalLog({
      clock,
      log,
      publish: async (arrivals) => {
        const hasMessages = await store.background.transaction(
          (transaction) => notifications.publishArrivals(transaction, arrivals),
          { isDurable: false },
        )
        if (hasMessages) notifications.outbox.wake()
      },
    }),
    notifications,
    uploadEvents: uploadEventStreams({ store, clock, durations, log }),
    dailyStats: dailyStatsRecorder({
      clock,
      log,
      add: (counted) => store.transaction((transaction) => transaction.dailyStats.add(counted)),
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
    inFlight,
    cleanupRequests: cleanupRequests(),
    uploadLocks: uploadLocks({ store, clock, databaseClock, random, instance, log, inFlight }),
    instance,
  }
  return { service, store, signatures }
}

export const dialectOf = ({ metadataBackend }: Config, purpose: Purpose, log: Logger) =>
  openDialect(metadataBackend, purpose, (reason) => {
    log.warn({ reason: reasonsOf(reason) }, 'database unreachable, retrying')
  })
