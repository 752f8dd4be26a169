import type { Upload } from '@svc/contract'
import { user } from '../account/account-state.ts'
import { client } from '../app/client.ts'
import { createListing } from '../listing/listing.ts'
import type { UploadQuestion } from '../listing/upload-query.ts'

/** Everybody's uploads, kept while one looks at another page: coming back, they are there at once. */
export const allUploads = createListing<UploadQuestion, Upload>({
  load: client.uploads,
  owner: () => user.value?.id,
})
