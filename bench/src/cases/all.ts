import type { Bench } from '../bench.ts'
import type { Case } from '../rows.ts'
import { listings, logins, signedIn } from './accounts.ts'
import { archive } from './archive.ts'
import { browserTransfers } from './browser.ts'
import { commandLine } from './command-line.ts'
import { downloads } from './download.ts'
import { encryption } from './encryption.ts'
import { firstPaint } from './first-paint.ts'
import { interactions } from './interactions.ts'
import { createUpload, getUpload, quickUpload, smallDownload } from './requests.ts'
import { guests } from './guests.ts'
import { million } from './million.ts'
import { idle, slowDownloads, transfers } from './strain.ts'
import { objectStore } from './s3.ts'
import { streams } from './stream.ts'
import { resumable } from './tus.ts'
import { uploads } from './upload.ts'
import { workers } from './workers.ts'

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
  workers,
  signedIn,
  listings,
  logins,
  archive,
  idle,
  transfers,
  slowDownloads,
  guests,
  encryption,
  commandLine,
  firstPaint,
  browserTransfers,
  interactions,
  million,
]
