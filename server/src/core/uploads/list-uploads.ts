import type { File, Upload } from '@svc/contract'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { isAdmin, type Principal } from '../../domain/access/principal.ts'
import { readInBatches } from '../../domain/collections/read-in-batches.ts'
import { filesInBatches } from '../../metadata/files/file-batches.ts'
import { firstBatch } from '../../metadata/files/file-lists.ts'
import type { PageOf, PageQuery } from '../../metadata/query/page.ts'
import type { UploadFilter, UploadKey, UploadSort } from '../../metadata/uploads/upload-listing.ts'
import { describeFiles, describeUpload } from './describe-upload.ts'
import type { Service } from '../service.ts'

/** The maximum number of files of a page. An upload with more files is alone on its page. */
const maxFiles = 2_000

/** The maximum number of uploads that are read at once. The first ones show how large they are. */
const uploadsPerBatch = { first: 8, max: 64 } as const

export interface ListedUpload {
  /** With its first files. */
  readonly upload: Upload
  /** Its further files; null when `upload` has all of them. */
  readonly rest: AsyncIterable<readonly File[]> | null
}

export interface UploadList extends PageOf<UploadKey> {
  /** The uploads of the page. They are read in batches, because a slow client would otherwise keep megabytes in memory. */
  readonly uploads: AsyncIterable<readonly ListedUpload[]>
  /** Whether the first batch has all uploads and files. */
  readonly isOneBatch: boolean
}

/**
 * A page of uploads with their files, as the principal may see them. The page ends early, with its cursor, if its uploads
 * have more than `maxFiles` files.
 */
export async function listUploads(
  service: Pick<Service, 'clock' | 'config' | 'store'>,
  principal: Principal,
  {
    filter,
    sort,
    query,
  }: { readonly filter: UploadFilter; readonly sort: UploadSort; readonly query: PageQuery },
): Promise<UploadList> {
  const { store, clock } = service
  const found = await store.uploads.keyPage(filter, sort, query, clock.now())
  const counts = await store.files.countsOf(found.results.map(({ id }) => id))
  const page = endEarly(found, counts, sort, query)
  const ids = page.results.map(({ id }) => id)
  const files = ids.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0)
  return {
    ...page,
    uploads: readUploads(service, principal, { ids, counts }),
    isOneBatch: ids.length <= uploadsPerBatch.first && files <= firstBatch,
  }
}

interface ListedUploads {
  readonly ids: readonly string[]
  /** The number of files by upload id. */
  readonly counts: ReadonlyMap<string, number>
}

async function* readUploads(
  service: Pick<Service, 'clock' | 'config' | 'store'>,
  principal: Principal,
  { ids, counts }: ListedUploads,
): AsyncGenerator<readonly ListedUpload[]> {
  const { store, clock } = service
  const describe = (upload: UploadRecord, files: readonly FileRecord[]): Upload => {
    const isOwner = principal.user?.id === upload.userId
    return describeUpload(service, upload, files, {
      admin: isOwner,
      showOwner: isOwner || isAdmin(principal),
    })
  }
  const batches = readInBatches(ids, {
    ...uploadsPerBatch,
    read: (batch) => store.uploads.withIds(batch, clock.now()),
    lengthOf: ({ comments }) => comments.length,
  })
  for await (const uploads of batches)
    for (const group of groupsOf(uploads, counts)) yield await withFiles(store, group, describe)
}

/** Divides uploads into groups with at most a batch of files. An upload with more files is alone. */
function groupsOf(
  uploads: readonly UploadRecord[],
  counts: ReadonlyMap<string, number>,
): readonly (readonly UploadRecord[])[] {
  const groups: UploadRecord[][] = []
  let files = Infinity
  for (const upload of uploads) {
    const count = counts.get(upload.id) ?? 0
    files += count
    if (files > firstBatch) {
      groups.push([])
      files = count
    }
    groups.at(-1)?.push(upload)
  }
  return groups
}

async function withFiles(
  store: Service['store'],
  uploads: readonly UploadRecord[],
  describe: (upload: UploadRecord, files: readonly FileRecord[]) => Upload,
): Promise<readonly ListedUpload[]> {
  const [only] = uploads
  if (only !== undefined && uploads.length === 1) {
    const { first, rest } = await filesInBatches(store, only.id)
    return [{ upload: describe(only, first), rest: rest === null ? null : describeBatches(only, rest) }]
  }
  const files = Map.groupBy(await store.files.listOf(uploads.map(({ id }) => id)), (file) => file.uploadId)
  return uploads.map((upload) => ({ upload: describe(upload, files.get(upload.id) ?? []), rest: null }))
}

async function* describeBatches(
  upload: UploadRecord,
  batches: AsyncIterable<readonly FileRecord[]>,
): AsyncGenerator<File[]> {
  for await (const files of batches) yield describeFiles(upload, files)
}

/**
 * Limits the files of a page. Pages are filled in the direction of the query, and the cursor continues after the
 * last upload of the page.
 */
function endEarly(
  page: PageOf<UploadKey>,
  counts: ReadonlyMap<string, number>,
  sort: UploadSort,
  { before, after }: PageQuery,
): PageOf<UploadKey> {
  const isBackwards = before !== undefined && after === undefined
  const ordered = isBackwards ? page.results.toReversed() : page.results
  let files = 0
  const end = ordered.findIndex(({ id }, index) => (files += counts.get(id) ?? 0) > maxFiles && index > 0)
  const last = ordered[end - 1]
  if (last === undefined) return page
  const limited = ordered.slice(0, end)
  const cursor = { value: Number(last[sort]), id: last.id }
  return isBackwards
    ? { ...page, before: cursor, results: limited.reverse() }
    : { ...page, after: cursor, results: limited }
}
