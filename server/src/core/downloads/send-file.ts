import type { Writable } from 'node:stream'
import type { ByteRange } from '../../data/backend/backend.ts'
import { fileNotFound, ServiceError } from '../../domain/errors.ts'
import { extendedEnd } from '../../domain/limits/lifetime.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { SendAborted } from '../../io/send/response-writer.ts'
import { sendSegments, type Segment } from '../../io/send/send-segments.ts'
import { claimFile, type Claim } from './claim.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../service.ts'
import { unlessFull } from '../limits/database-space.ts'
import { storeErrorResponse } from '../data-store/store-errors.ts'

/** Bytes that are ready to go out, once the headers are written. Whoever gets it must send it. */
export interface Delivery {
  /**
   * Sends all bytes and ends the response. Resolves when the last byte has been handed to the socket.
   * @param begin writes the headers, just before the first byte; what is thrown before can still be answered otherwise
   * @throws SendAborted when the connection broke; what was claimed is then given back
   * @throws ServiceError `download_in_progress`, `file_not_found` when what was claimed was lost meanwhile
   */
  send(to: Writable, begin?: () => void): Promise<void>
}

/** @throws ServiceError `file_not_found` for a file in a state that has nothing to download */
export function requireDownloadable(file: FileRecord): void {
  if (file.status !== 'uploaded') throw fileNotFound()
}

/**
 * Prepares the download of a file, or of a range of it.
 * The file of a one-shot upload is claimed here, before any header tells that it will come.
 * @throws ServiceError `download_in_progress`, `file_not_found`, `unavailable`
 */
export async function prepareFile(
  service: Base & Metadata & Operations & Transfers,
  upload: UploadRecord,
  file: FileRecord,
  range: ByteRange,
): Promise<Delivery> {
  await prolong(service, upload)
  const claimed = upload.oneShot === 1 ? [{ claim: await claimFile(service, upload, file), begin: 0 }] : []
  try {
    const segment = await openSegment(service, file, range)
    return deliver(service, [segment], { claimed, reachesEnd: reachesEnd(range, file.fileSize) })
  } catch (error) {
    await Promise.all(claimed.map(({ claim }) => claim.release(0)))
    throw storeErrorResponse(error)
  }
}

/** A part of a stored file, read the fastest way its backend has. */
export function storedSegment(
  { data }: Pick<Service, 'data'>,
  file: FileRecord,
  { start, end }: ByteRange,
): Segment {
  const length = end - start + 1
  const { open } = data
  if (open !== undefined) return { reader: () => open(file.id), start, length }
  return { source: () => data.get(file.id, { start, end }), length }
}

/** The same, opened already, so that missing data is found while it can still be answered. */
async function openSegment(
  { data }: Pick<Service, 'data'>,
  file: FileRecord,
  { start, end }: ByteRange,
): Promise<Segment> {
  const length = end - start + 1
  if (data.open !== undefined) {
    const reader = await data.open(file.id)
    return { reader: () => Promise.resolve(reader), start, length }
  }
  const source = await data.get(file.id, { start, end })
  return { source: () => Promise.resolve(source), length }
}

/** Whether a range has the last byte: of the requests that a download is made of, one has it. */
export const reachesEnd = ({ end }: ByteRange, size: number): boolean => end === size - 1

/** A file that is claimed for a body. */
export interface ClaimedFile {
  readonly claim: Claim
  /** Bytes of the body that come before the file's first one. */
  readonly begin: number
}

/** Claimed bytes go out, and the claims end as the sending ends. */
export function deliver(
  { buffers, log, dailyCounters: daily }: Pick<Service, 'buffers' | 'dailyCounters' | 'log'>,
  segments: Iterable<Segment>,
  { claimed, reachesEnd }: { readonly claimed: readonly ClaimedFile[]; readonly reachesEnd: boolean },
): Delivery {
  const all = async (end: (claim: Claim, begin: number) => Promise<void>) => {
    await Promise.all(claimed.map(({ claim, begin }) => end(claim, begin)))
  }
  return {
    async send(to, begin) {
      let sent = 0
      const onProgress = (flushed: number) => {
        sent = flushed
      }
      // A process that was stopped for long may have lost its claims to another download.
      const beforeLast = () => all((claim) => claim.seal())
      try {
        await sendSegments(segments, to, {
          buffers,
          onProgress,
          ...(begin && { begin }),
          ...(claimed.length > 0 && { beforeLast }),
        })
        if (reachesEnd) daily.downloaded()
      } catch (error) {
        const isOurs = !(error instanceof SendAborted)
        // Only what the client broke off counts against its file, whoever asks for it next.
        await all((claim, begin) => claim.release(isOurs ? 0 : Math.max(0, sent - begin)))
        // A client that goes away is no event, nor is a file that does; a store that fails is, and the client only saw a cut connection.
        if (isOurs && !(error instanceof ServiceError)) log.error({ err: error }, 'a download broke off')
        throw error
      } finally {
        daily.sent(sent)
      }
      await all((claim) => claim.consume())
    },
  }
}

/** Moves the end of an upload with `extend_ttl`. */
export async function prolong(
  { store, clock }: Pick<Service, 'clock' | 'store'>,
  upload: UploadRecord,
): Promise<void> {
  const end = extendedEnd(upload, clock.now())
  // A download goes on where the database is full: its upload ends as it would have without it.
  if (end !== null) await unlessFull(store.uploads.extend(upload.id, end))
}
