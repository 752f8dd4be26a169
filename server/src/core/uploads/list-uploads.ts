import type { Page, Upload } from '@svc/contract'
import type { UploadRecord, FileRecord } from '../../domain/records.ts'
import { isAdmin, type Principal } from '../../domain/access/principal.ts'
import type { PageOf, PageQuery } from '../../metadata/query/page.ts'
import type { UploadFilter, UploadSort } from '../../metadata/uploads/upload-listing.ts'
import { describeUpload } from './describe-upload.ts'
import type { Service } from '../service.ts'

/** The maximum number of files of a page. An upload with more files is alone on its page. */
const maxFiles = 2_000

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
): Promise<Omit<PageOf<UploadRecord>, 'results'> & Pick<Page<Upload>, 'results'>> {
  const { store, clock } = service
  const found = await store.uploads.page(filter, sort, query, clock.now())
  const counts = await store.files.countsOf(found.results.map(({ id }) => id))
  const page = endEarly(found, counts, sort, query)
  const files = Map.groupBy(
    await store.files.listOf(page.results.map(({ id }) => id)),
    (file) => file.uploadId,
  )
  const results = page.results.map((upload) => {
    const isOwner = principal.user?.id === upload.userId
    const uploadFiles: readonly FileRecord[] = files.get(upload.id) ?? []
    return describeUpload(service, upload, uploadFiles, {
      admin: isOwner,
      showOwner: isOwner || isAdmin(principal),
    })
  })
  return { ...page, results }
}

/**
 * Limits the files of a page. Pages are filled in the direction of the query, and the cursor continues behind the
 * last upload of the page.
 */
function endEarly(
  page: PageOf<UploadRecord>,
  counts: ReadonlyMap<string, number>,
  sort: UploadSort,
  { before, after }: PageQuery,
): PageOf<UploadRecord> {
  const isBackwards = before !== undefined && after === undefined
  const ordered = isBackwards ? page.results.toReversed() : page.results
  let files = 0
  const end = ordered.findIndex(({ id }, index) => (files += counts.get(id) ?? 0) > maxFiles && index > 0)
  const last = ordered[end - 1]
  if (last === undefined) return page
  const limited = ordered.slice(0, end)
  const cursor = { value: last[sort], id: last.id }
  return isBackwards
    ? { ...page, before: cursor, results: limited.reverse() }
    : { ...page, after: cursor, results: limited }
}
