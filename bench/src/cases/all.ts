import type { Bench } from '../bench.ts'
import type { Case } from '../results/rows.ts'
import { listings, logins, signedIn } from './load/accounts.ts'
import { archive } from './transfers/archive.ts'
import { browserEncrypted, browserTransfers } from './clients/browser.ts'
import { browserManyFiles } from './clients/browser-many-files.ts'
import { commandLine } from './clients/command-line.ts'
import { downloads } from './transfers/download.ts'
import { encryption } from './clients/encryption.ts'
import { encryptedStream } from './clients/encrypted-stream.ts'
import { contentHash } from './clients/hash.ts'
import { folderAsTar } from './clients/folder-as-tar.ts'
import { firstPaint } from './clients/first-paint.ts'
import { manyFiles } from './clients/many-files.ts'
import { interactions } from './clients/interactions.ts'
import { smallFile } from './clients/small-file.ts'
import {
  budget,
  configuration,
  createUpload,
  getUpload,
  health,
  pageAsset,
  quickUpload,
  smallDownload,
} from './load/requests.ts'
import { connections } from './load/connections.ts'
import { cost } from './load/cost.ts'
import { durability } from './load/durability.ts'
import { guests } from './load/abuse/guests.ts'
import { inbox } from './load/inbox.ts'
import { million } from './load/million.ts'
import { outbox } from './load/outbox.ts'
import { peer } from './load/peer.ts'
import { idle, mixed, slowDownloads, transfers } from './load/resource-usage.ts'
import { activity } from './load/activity.ts'
import { objectStore } from './transfers/s3.ts'
import { streams } from './transfers/stream.ts'
import { resumable } from './transfers/tus.ts'
import { uploads } from './transfers/upload.ts'
import { starts } from './load/start.ts'
import { scale } from './load/scale.ts'
import { workers } from './load/workers.ts'

/** Every benchmark, in the order of the report. */
export const cases: readonly Case<Bench>[] = [
  downloads,
  uploads,
  resumable,
  objectStore,
  streams,
  getUpload,
  createUpload,
  quickUpload,
  smallDownload,
  pageAsset,
  health,
  configuration,
  cost,
  budget,
  durability,
  workers,
  starts,
  signedIn,
  listings,
  logins,
  archive,
  idle,
  transfers,
  mixed,
  slowDownloads,
  connections,
  guests,
  encryption,
  contentHash,
  commandLine,
  smallFile,
  encryptedStream,
  manyFiles,
  folderAsTar,
  firstPaint,
  browserTransfers,
  browserEncrypted,
  browserManyFiles,
  interactions,
  peer,
  million,
  inbox,
  outbox,
  activity,
  scale,
]
