import type { Upload } from '@svc/contract'
import { defineStore } from '../base/store.ts'
import { useSessionState } from '../session/session.ts'
import { api } from '../api/api.ts'
import { createListing } from '../listing/listing.ts'
import type { UploadListQuery } from '../listing/upload-query.ts'

/** The user's uploads, kept while another page is open, so that they show at once on return. */
export const useMyUploads = defineStore(() => {
  const { user } = useSessionState()
  return createListing<UploadListQuery, Upload>({ load: api.myUploads, owner: () => user.value?.id })
})
