import type { Page, Upload } from '@svc/contract'
import type { UploadRecord, FileRecord } from '../domain/records.ts'
import { isAdmin, type Visitor } from '../domain/visitor.ts'
import type { PageOf, PageQuery } from '../metadata/page.ts'
import type { UploadFilter, UploadSort } from '../metadata/upload-listing.ts'
import { describeUpload } from './describe-upload.ts'
import type { Service } from './service.ts'

/** A page of uploads with their files, as the visitor may see them. */
export async function listUploads(
  service: Service,
  visitor: Visitor,
  {
    filter,
    sort,
    query,
  }: { readonly filter: UploadFilter; readonly sort: UploadSort; readonly query: PageQuery },
): Promise<Omit<PageOf<UploadRecord>, 'results'> & Pick<Page<Upload>, 'results'>> {
  const { store, clock } = service
  const page = await store.uploads.page(filter, sort, query, clock.now())
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
