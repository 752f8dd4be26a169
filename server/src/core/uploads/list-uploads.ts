import type { Page, Upload } from '@svc/contract'
import type { UploadRecord, FileRecord } from '../../domain/records.ts'
import { isAdmin, type Principal } from '../../domain/access/principal.ts'
import type { PageOf, PageQuery } from '../../metadata/query/page.ts'
import type { UploadFilter, UploadSort } from '../../metadata/uploads/upload-listing.ts'
import { describeUpload } from './describe-upload.ts'
import type { Service } from '../service.ts'

/** Files that a page holds at most; one upload with more has a page for itself. */
const mostFiles = 2_000

/**
 * A page of uploads with their files, as the visitor may see them. It ends early, with its cursor, where its uploads have more
 * files than a page holds.
 */
export async function listUploads(
  service: Pick<Service, 'clock' | 'config' | 'store'>,
  visitor: Principal,
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
    const isOwner = visitor.user?.id === upload.userId
    const described: readonly FileRecord[] = files.get(upload.id) ?? []
    return describeUpload(service, upload, described, {
      admin: isOwner,
      tellOwner: isOwner || isAdmin(visitor),
    })
  })
  return { ...page, results }
}

/** What a page holds, counted from where it was entered; the cursor there leads on to what it leaves out. */
function endEarly(
  page: PageOf<UploadRecord>,
  counts: ReadonlyMap<string, number>,
  sort: UploadSort,
  { before, after }: PageQuery,
): PageOf<UploadRecord> {
  const isBackwards = before !== undefined && after === undefined
  const entered = isBackwards ? page.results.toReversed() : page.results
  let files = 0
  const end = entered.findIndex(({ id }, at) => (files += counts.get(id) ?? 0) > mostFiles && at > 0)
  const last = entered[end - 1]
  if (last === undefined) return page
  const kept = entered.slice(0, end)
  const cursor = { value: last[sort], id: last.id }
  return isBackwards
    ? { ...page, before: cursor, results: kept.reverse() }
    : { ...page, after: cursor, results: kept }
}
