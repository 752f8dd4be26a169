import type { Upload } from '@svc/contract'
import { user } from '../session/session.ts'
import { api } from '../api/api.ts'
import { createListing } from '../listing/listing.ts'
import type { UploadListQuery } from '../listing/upload-query.ts'

/** The uploads of all users, kept while another page is open, so that they show at once on return. */
export const allUploads = createListing<UploadListQuery, Upload>({
  load: api.uploads,
  owner: () => user.value?.id,
})
