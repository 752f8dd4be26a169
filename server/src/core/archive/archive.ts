import { archiveNames } from '@svc/contract'
import type { ByteRange } from '../../data/backend/backend.ts'
import * as errors from '../../domain/errors.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { Segment } from '../../io/send/send-segments.ts'
import { archiveLayout, type ArchiveLayout } from './archive-layout.ts'
import { claimFile } from '../downloads/claim.ts'
import {
  deliver,
  prolong,
  reachesEnd,
  storedSegment,
  type ClaimedFile,
  type Delivery,
} from '../downloads/send-file.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../service.ts'

export interface Archive {
  readonly upload: UploadRecord
  readonly files: readonly FileRecord[]
  readonly layout: ArchiveLayout
}

/**
 * What the archive of an upload will be, byte for byte: a pure function of its files' names, sizes, times
 * and checksums.
 * @throws ServiceError `invalid_archive_name`, `archive_of_stream`, `archive_empty`
 */
export async function planArchive(
  { store }: Pick<Service, 'store'>,
  upload: UploadRecord,
  archiveName: string,
): Promise<Archive> {
  if (!archiveName.endsWith('.zip')) throw errors.invalidArchiveName()
  if (upload.stream === 1) throw errors.archiveOfStream()
  const files = (await store.files.list(upload.id)).filter((file) => file.status === 'uploaded')
  if (files.length === 0) throw errors.archiveEmpty()
  const names = archiveNames(files.map((file) => file.fileName))
  const entries = files.map((file, index) => ({
    name: names[index] ?? file.id,
    size: file.fileSize,
    crc32: file.crc32,
    modified: file.uploadedAt ?? file.createdAt,
  }))
  return { upload, files, layout: archiveLayout(entries) }
}

/**
 * Prepares the download of an archive or of a range of it; of a one-shot upload, all its files are claimed.
 * @throws ServiceError `download_in_progress`, `file_not_found`
 */
export async function prepareArchive(
  service: Base & Metadata & Operations & Transfers,
  { upload, files, layout }: Archive,
  range: ByteRange,
): Promise<Delivery> {
  // Before the claims: nothing that fails may come between them and whoever gives them back.
  await prolong(service, upload)
  const claimed = upload.oneShot === 1 ? await claimAll(service, upload, files, begins(layout, range)) : []
  return deliver(service, segments(service, files, layout, range), {
    claimed,
    reachesEnd: reachesEnd(range, layout.size),
  })
}

async function claimAll(
  service: Base & Metadata,
  upload: UploadRecord,
  files: readonly FileRecord[],
  begins: ReadonlyMap<number, number>,
): Promise<ClaimedFile[]> {
  const claimed: ClaimedFile[] = []
  try {
    for (const [index, file] of files.entries())
      claimed.push({
        claim: await claimFile(service, upload, file),
        begin: begins.get(index) ?? Infinity,
      })
    return claimed
  } catch (error) {
    await Promise.all(claimed.map(({ claim }) => claim.release(0)))
    throw error
  }
}

/** Where in the body the bytes of each entry begin. One that has none there is absent. */
function begins(layout: ArchiveLayout, { start, end }: ByteRange): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  let at = 0
  for (const piece of layout.pieces(start, end)) {
    if (piece.kind === 'entry') found.set(piece.index, at)
    at += piece.kind === 'entry' ? piece.length : piece.bytes.length
  }
  return found
}

function* segments(
  service: Pick<Service, 'data'>,
  files: readonly FileRecord[],
  layout: ArchiveLayout,
  { start, end }: ByteRange,
): Iterable<Segment> {
  for (const piece of layout.pieces(start, end)) {
    if (piece.kind === 'bytes') {
      yield { bytes: piece.bytes }
      continue
    }
    const file = files[piece.index]
    if (file === undefined) throw new RangeError(`the archive has no entry ${String(piece.index)}`)
    yield storedSegment(service, file, { start: piece.start, end: piece.start + piece.length - 1 })
  }
}
