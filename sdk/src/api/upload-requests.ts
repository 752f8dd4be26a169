import type {
  NewUploadRequest,
  OpenUploadRequest,
  Page,
  ReceivedListing,
  RequestListing,
  SenderUploadOptions,
  Upload,
  UploadRequest,
  UploadRequestUpdate,
} from '@svc/contract'
import type { Access } from '../http/access.ts'
import { endpointCalls } from '../http/calls.ts'
import type { Connection } from '../http/connection.ts'
import { requestIn, uploadIn } from '../http/upload-responses.ts'

/** Upload requests, with which others send files to their owner (docs/requests.md). */
export function uploadRequestCalls(connection: Connection) {
  const { call, request } = endpointCalls(connection)
  return {
    /** Only this response has the request token, with which the request is managed without an account. */
    createUploadRequest: async (uploadRequest: NewUploadRequest): Promise<UploadRequest> =>
      requestIn(await call('POST /requests', { body: uploadRequest })),
    /** The requests of the user; with `all`, those of everyone, for admins. */
    uploadRequests: (query: RequestListing = {}): Promise<Page<UploadRequest>> =>
      call('GET /requests', { query }),
    /** A request as its owner sees it. */
    uploadRequest: async (requestID: string, access?: Access): Promise<UploadRequest> =>
      requestIn(await call('GET /requests/{requestID}', { params: { requestID }, access })),
    /** Changes the given fields. `closed` refuses the next upload, or accepts it again. */
    updateUploadRequest: (
      requestID: string,
      update: UploadRequestUpdate,
      access?: Access,
    ): Promise<UploadRequest> =>
      call('PATCH /requests/{requestID}', { params: { requestID }, body: update, access }),
    /** Removes a request with all uploads that it has received. */
    removeUploadRequest: async (requestID: string, access?: Access): Promise<void> => {
      await request('DELETE /requests/{requestID}', { params: { requestID }, access })
    },
    /** The uploads that a request has received, the newest first. */
    receivedUploads: async (
      requestID: string,
      query: ReceivedListing = {},
      access?: Access,
    ): Promise<Page<Upload>> => {
      const page = await call('GET /requests/{requestID}/uploads', { params: { requestID }, query, access })
      return { ...page, results: page.results.map(uploadIn) }
    },

    /** A request as a sender sees it. A password is in `credentials`, with the login `svc`. */
    openUploadRequest: async (requestID: string, access?: Access): Promise<OpenUploadRequest> =>
      requestIn(await call('GET /request/{requestID}', { params: { requestID }, access })),
    /** Creates an upload for a request. Its token adds files, as to any upload, and reads their sizes and hashes. */
    sendToUploadRequest: async (
      requestID: string,
      options: SenderUploadOptions = {},
      access?: Access,
    ): Promise<Upload> =>
      uploadIn(
        await call('POST /request/{requestID}/upload', { params: { requestID }, body: options, access }),
      ),
  }
}
