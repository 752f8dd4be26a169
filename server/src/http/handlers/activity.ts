import type { Download } from '@svc/contract'
import type { DownloadRecord, UploadRecord } from '../../domain/records.ts'
import { pageQueryOf, pageResponse, type PageParameters } from '../request/paging.ts'
import type { RequestContext } from '../steps/chain.ts'

/** The downloads of an upload. Those that this instance has not written yet are written first. */
export async function listDownloads({
  service,
  request,
  upload,
}: RequestContext & { readonly upload: UploadRecord }) {
  const query = pageQueryOf(request.query as PageParameters, 'endedAt')
  await service.activity.write()
  const page = await service.store.downloads.page(upload.id, query)
  const { activityAddresses } = service.config
  const results = page.results.map((download) => describe(download, activityAddresses))
  return pageResponse(page, results, 'endedAt')
}

/** @param withAddresses addresses may remain from a time when they were stored */
function describe(
  { endedAt, fileId, bytes, result, client, address }: DownloadRecord,
  withAddresses: boolean,
): Download {
  return {
    endedAt: new Date(endedAt).toISOString(),
    ...(fileId !== null && { fileID: fileId }),
    bytes,
    result,
    client,
    ...(withAddresses && address !== null && { address }),
  }
}
