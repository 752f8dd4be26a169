import type { Writable } from 'node:stream'
import type { Download } from '@svc/contract'
import type { RecordedDownload, DownloadClient } from '../activity/activity-log.ts'
import { MissingDataError, type ByteRange } from '../../data/backend/backend.ts'
import type { Clock } from '../../domain/clock.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fileNotFound } from '../../domain/not-found-errors.ts'
import { extendedExpiry } from '../../domain/limits/lifetime.ts'
import { isCounted, isFreeManifest } from '../../domain/limits/download-limit.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { SendAborted } from '../../io/send/response-writer.ts'
import { sendSegments, type Segment } from '../../io/send/send-segments.ts'
import { claimFile, type Claim } from './claim.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../service.ts'
import { ifWritable } from '../space/database-space.ts'
import { translateDataStoreError } from '../data-store/translate-error.ts'

/** What a request asks for, and from whom it comes. */
export interface DownloadRequest {
  readonly range: ByteRange
  readonly client: DownloadClient
}

/** A prepared response body. The caller must send it, which also ends the claims. */
export interface Delivery {
  /**
   * Sends all bytes and ends the response. Resolves when the last byte has been handed to the socket.
   * @param begin writes the headers just before the first byte; before that, an error can still become a response
   * @throws SendAborted when the connection broke; claims are then released
   * @throws ServiceError `download_in_progress`, `file_not_found` when a claim was lost in the meantime
   */
  send(to: Writable, begin?: () => void): Promise<void>
}

/** @throws ServiceError `file_not_found` when the status of the file allows no download */
export function requireDownloadable(file: FileRecord): void {
  if (file.status !== 'uploaded') throw fileNotFound()
}

/**
 * Prepares the download of a file, or of a range of it. A download that counts is claimed here, before any
 * header is sent.
 * @throws ServiceError `download_in_progress`, `file_not_found`, `unavailable`
 */
export async function prepareFile(
  service: Base & Metadata & Operations & Transfers,
  upload: UploadRecord,
  file: FileRecord,
  { range, client }: DownloadRequest,
): Promise<Delivery> {
  const isUncounted = isFreeManifest(upload, file)
  if (!isUncounted) await extendExpiry(service, upload)
  const isClaimed = isCounted(upload, file)
  const claimed = isClaimed
    ? [{ claim: await claimFile(service, upload, file), begin: 0, end: Infinity }]
    : []
  try {
    const open = async () =>
      (isClaimed ? null : await cachedSegment(service, file, range)) ?? openSegment(service, file, range)
    const segment = await service.missingFiles.watch(file, open())
    const requested = {
      uploadId: upload.id,
      fileId: file.id,
      size: file.fileSize,
      range,
      client,
      isUncounted,
    }
    return deliver(service, [segment], { claimed, requested })
  } catch (error) {
    await Promise.all(claimed.map(({ claim }) => claim.release(0)))
    throw translateDataStoreError(error)
  }
}

/** A range of a stored file, read by position if the backend can, because that is faster than a stream. */
export function storedSegment(
  { data, missingFiles }: Pick<Service, 'data' | 'missingFiles'>,
  file: Pick<FileRecord, 'id' | 'uploadId'>,
  { start, end }: ByteRange,
): Segment {
  const length = end - start + 1
  const { open } = data
  if (open !== undefined) return { reader: () => missingFiles.watch(file, open(file.id)), start, length }
  const get = async () => missingFiles.watchBytes(file, await data.get(file.id, { start, end }))
  return { source: () => missingFiles.watch(file, get()), length }
}

/** A range of a small file, from memory. */
async function cachedSegment(
  { smallFiles }: Pick<Service, 'smallFiles'>,
  file: FileRecord,
  { start, end }: ByteRange,
): Promise<Segment | null> {
  const content = await smallFiles.read(file)
  return content === null ? null : { bytes: content.subarray(start, end + 1) }
}

/** Opens the range at once, so that missing data is found while an error response is still possible. */
async function openSegment(
  { data, missingFiles }: Pick<Service, 'data' | 'missingFiles'>,
  file: FileRecord,
  { start, end }: ByteRange,
): Promise<Segment> {
  const length = end - start + 1
  if (data.open !== undefined) {
    const reader = await data.open(file.id)
    return { reader: () => Promise.resolve(reader), start, length }
  }
  const source = missingFiles.watchBytes(file, await data.get(file.id, { start, end }))
  return { source: () => Promise.resolve(source), length }
}

/** Whether a range includes the last byte. A download may take several requests; one of them includes the last byte. */
export const reachesEnd = ({ end }: ByteRange, size: number): boolean => end === size - 1

/** A file that is claimed for a response body. */
export interface ClaimedFile {
  readonly claim: Claim
  /** The offset of the file's first byte in the body. */
  readonly begin: number
  /** The offset after its last byte. A download that reaches it consumes the file. Infinity: the end of the body. */
  readonly end: number
}

/** The requested part of a file or archive of this size. */
interface Representation extends DownloadRequest, RecordedDownload {
  readonly size: number
  /** Whether it does not count as a download, for the sender and in the counters. */
  readonly isUncounted?: boolean
}

/** Ms without a byte for the connection after which a download that holds claims ends: others wait for them. */
const stallMs = 5 * 60_000
const stallCheckMs = 60_000

/** @param progress grows while bytes are sent */
function abortWhenStalled(clock: Clock, progress: () => number): { signal: AbortSignal; stop: () => void } {
  const stalled = new AbortController()
  let last = progress()
  let since = clock.now()
  const stop = clock.every(stallCheckMs, () => {
    const isStalled = progress() === last
    if (!isStalled) {
      last = progress()
      since = clock.now()
    } else if (clock.now() - since >= stallMs) stalled.abort(new Error('the client reads nothing'))
  })
  return { signal: stalled.signal, stop }
}

/** Sends segments, and consumes or releases the claims with the result. */
export function deliver(
  {
    buffers,
    clock,
    log,
    activity,
    dailyStats,
  }: Pick<Service, 'activity' | 'buffers' | 'clock' | 'dailyStats' | 'log'>,
  segments: Iterable<Segment> | AsyncIterable<Segment>,
  { claimed, requested }: { readonly claimed: readonly ClaimedFile[]; readonly requested: Representation },
): Delivery {
  const all = async (end: (claim: Claim, file: ClaimedFile) => Promise<void>) => {
    await Promise.all(claimed.map((file) => end(file.claim, file)))
  }
  return {
    async send(to, begin) {
      const { range, size, isUncounted = false } = requested
      let sent = 0
      const record = (result: Download['result']) => {
        if (!isUncounted) activity.record(requested, sent, result)
      }
      const onProgress = (flushed: number) => {
        sent = flushed
      }
      // A process that was suspended may have lost its claims to another download.
      const beforeLast = () => all((claim) => claim.seal())
      const stall = claimed.length > 0 ? abortWhenStalled(clock, () => sent) : undefined
      try {
        await sendSegments(segments, to, {
          buffers,
          onProgress,
          ...(begin && { begin }),
          ...(stall && { beforeLast, signal: stall.signal }),
        })
        if (reachesEnd(range, size) && !isUncounted) dailyStats.downloaded()
        const isWhole = range.end - range.start + 1 === size
        record(isWhole ? 'whole' : 'part')
      } catch (error) {
        record('broken')
        const isServerFault = !(error instanceof SendAborted)
        // Only an interruption by the client counts against the file.
        await all((claim, { begin, end }) =>
          sent >= end ? claim.consume() : claim.release(isServerFault ? 0 : Math.max(0, sent - begin)),
        )
        // A disconnected client is normal, and so is a removed file. A store failure is logged, because the client
        // sees only a closed connection. Missing bytes are in the log already.
        if (isServerFault && !(error instanceof ServiceError || error instanceof MissingDataError))
          log.error({ err: error }, 'a download failed')
        throw error
      } finally {
        stall?.stop()
        dailyStats.sent(sent)
      }
      await all((claim) => claim.consume())
    },
  }
}

/** Extends the expiry of an upload with `extend_ttl`. */
export async function extendExpiry(
  service: Pick<Service, 'clock' | 'databaseSpace' | 'store'>,
  upload: UploadRecord,
): Promise<void> {
  const { store, clock } = service
  const end = extendedExpiry(upload, clock.now())
  // A database that is full or read-only does not stop the download: the upload then keeps its expiry.
  if (end !== null) await ifWritable(service, () => store.uploads.extend(upload.id, end))
}
