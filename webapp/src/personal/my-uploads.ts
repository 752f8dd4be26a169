import type { Upload } from '@svc/contract'
import { user } from '../session/session.ts'
import { client } from '../api/client.ts'
import { createListing } from '../listing/listing.ts'
import type { UploadListQuery } from '../listing/upload-query.ts'

/** The own uploads, kept while one looks at another page: coming back, they are there at once. */
export const myUploads = createListing<UploadListQuery, Upload>({
  load: client.myUploads,
  owner: () => user.value?.id,
})
