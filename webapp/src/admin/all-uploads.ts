import type { Upload } from '@svc/contract'
import { user } from '../session/session.ts'
import { client } from '../api/client.ts'
import { createListing } from '../listing/listing.ts'
import type { UploadListQuery } from '../listing/upload-query.ts'

/** Everybody's uploads, kept while one looks at another page: coming back, they are there at once. */
export const allUploads = createListing<UploadListQuery, Upload>({
  load: client.uploads,
  owner: () => user.value?.id,
})
