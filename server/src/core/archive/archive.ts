import { archiveNames } from '@svc/contract'
import type { ByteRange } from '../../data/backend/backend.ts'
import * as errors from '../../domain/errors.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { Segment } from '../../io/send/send-segments.ts'
import { archiveLayout, type ArchiveLayout } from './archive-layout.ts'
import { claimFile } from '../downloads/claim.ts'
import {
  deliver,
  extendExpiry,
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
 * Plans the archive of an upload, byte for byte: a pure function of the names, sizes, times and checksums of its
 * files.
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
 * Prepares the download of an archive or a range of it. All files of a one-shot upload are claimed.
 * @throws ServiceError `download_in_progress`, `file_not_found`
 */
export async function prepareArchive(
  service: Base & Metadata & Operations & Transfers,
  { upload, files, layout }: Archive,
  range: ByteRange,
): Promise<Delivery> {
  // Before the claims: an error between them and `deliver` would leave them unreleased.
  await extendExpiry(service, upload)
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

/** The offset of each entry in the body. Entries without bytes there are absent. */
function begins(layout: ArchiveLayout, { start, end }: ByteRange): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  let at = 0
  for (const segment of layout.segments(start, end)) {
    if (segment.kind === 'entry') found.set(segment.index, at)
    at += segment.kind === 'entry' ? segment.length : segment.bytes.length
  }
  return found
}

function* segments(
  service: Pick<Service, 'data'>,
  files: readonly FileRecord[],
  layout: ArchiveLayout,
  { start, end }: ByteRange,
): Iterable<Segment> {
  for (const segment of layout.segments(start, end)) {
    if (segment.kind === 'bytes') {
      yield { bytes: segment.bytes }
      continue
    }
    const file = files[segment.index]
    if (file === undefined) throw new RangeError(`the archive has no entry ${String(segment.index)}`)
    yield storedSegment(service, file, { start: segment.start, end: segment.start + segment.length - 1 })
  }
}
