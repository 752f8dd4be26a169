import type { Download } from '@svc/contract'
import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'
import { randomId, type Random } from '../../domain/ids.ts'
import type { DownloadRecord } from '../../domain/records.ts'
import { clientKind } from './client-kind.ts'
import { writeBatches } from './write-batches.ts'

/** The interval between two writes: the maximum loss when a process is killed. */
const writeMs = 5_000

/** The maximum number of downloads of one upload that one write stores: the newest ones. */
const perUpload = 200

/**
 * The maximum number of downloads of all uploads that wait for a write. More are not stored: a row of SQLite takes 20 µs of
 * processor time, so 500 of them a second take 1 % of a processor.
 */
const waitingDownloads = 2_500

/** The client of a download, as its request describes it. */
export interface DownloadClient {
  readonly userAgent: string | undefined
  readonly clientApp: string | undefined
  readonly address: string
}

/** What a client downloads. */
export interface RecordedDownload {
  readonly uploadId: string
  /** Null for an archive. */
  readonly fileId: string | null
  readonly client: DownloadClient
}

type Result = Download['result']

/**
 * Keeps the downloads of each upload for its sender. They wait in memory and are written at an interval, so that no request
 * waits for the database.
 */
export interface ActivityLog {
  /**
   * Records a download that has ended.
   * @param bytes number of sent bytes
   */
  readonly record: (download: RecordedDownload, bytes: number, result: Result) => void
  /** Writes what waits. Downloads that cannot be written now stay for the next write. Never rejects. */
  readonly write: () => Promise<void>
}

export interface ActivityOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<Logger, 'warn'>
  /** Whether the addresses of clients are stored. */
  readonly withAddresses: boolean
  /**
   * Stores downloads in one transaction.
   * @throws DatabaseError
   */
  readonly add: (rows: readonly DownloadRecord[]) => Promise<void>
}

/** Has no copy of the description: this object is made for each download. */
interface WaitingDownload {
  readonly download: RecordedDownload
  readonly bytes: number
  readonly result: Result
  readonly endedAt: number
}

/** The newest downloads of an upload. The next one has the place `count % perUpload`. */
interface Newest {
  readonly downloads: WaitingDownload[]
  count: number
}

export function activityLog({ clock, random, log, withAddresses, add }: ActivityOptions): ActivityLog {
  let uploads = new Map<string, Newest>()
  let waiting = 0
  const wait = (ended: WaitingDownload) => {
    const { uploadId } = ended.download
    let newest = uploads.get(uploadId)
    if (newest === undefined || newest.downloads.length < perUpload) {
      if (waiting >= waitingDownloads) return
      waiting += 1
    }
    if (newest === undefined) uploads.set(uploadId, (newest = { downloads: [], count: 0 }))
    newest.downloads[newest.count % perUpload] = ended
    newest.count += 1
  }
  const take = (): readonly WaitingDownload[] => {
    const taken = uploads
    uploads = new Map()
    waiting = 0
    return [...taken.values()].flatMap(({ downloads }) => downloads)
  }
  const rowOf = ({ download, endedAt, bytes, result }: WaitingDownload): DownloadRecord => {
    const { uploadId, fileId, client } = download
    return {
      uploadId,
      endedAt,
      id: randomId(random),
      fileId,
      bytes,
      result,
      client: clientKind(client.userAgent, client.clientApp),
      address: withAddresses ? client.address : null,
    }
  }
  const writeWaiting = async () => {
    const failed = await writeBatches(take(), (batch) => add(batch.map(rowOf)))
    if (failed === null) return
    for (const download of failed.left) wait(download)
    log.warn({ err: failed.error }, 'downloads could not be recorded')
  }
  let lastWrite = Promise.resolve()
  return {
    record(download, bytes, result) {
      wait({ download, bytes, result, endedAt: clock.now() })
    },
    write: () => (lastWrite = lastWrite.then(writeWaiting)),
  }
}

/**
 * Writes logs, such as that of the downloads, at an interval.
 * @returns stops the interval and resolves once everything is written
 */
export function scheduleActivity(
  clock: Clock,
  logs: readonly Pick<ActivityLog, 'write'>[],
): () => Promise<void> {
  // They log failures, and never reject.
  const write = async () => {
    await Promise.all(logs.map((log) => log.write()))
  }
  const stop = clock.every(writeMs, () => {
    void write()
  })
  return () => {
    stop()
    return write()
  }
}
