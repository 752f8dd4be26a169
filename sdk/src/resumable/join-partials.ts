import { headers as names, isGoneFile, isIncompleteFile, tusPath } from '@svc/contract'
import { ApiError } from '../errors/api-error.ts'
import { base64 } from '../http/base64.ts'
import { endpointCalls } from '../http/calls.ts'
import type { Connection } from '../http/connection.ts'
import { idIn } from '../http/upload-responses.ts'
import { findByReference } from './file-reference.ts'
import { withRetries } from '../retry/retry-policy.ts'
import { retryPolicyOf } from './recovery.ts'
import type { ResumableFile } from './resumable-file.ts'
import type { PartialUploads } from './partial-uploads.ts'
import { tusHeaders } from './tus-state.ts'

/** Id of the file that consists of partial uploads, if the server has completed it. */
export async function findJoined(
  connection: Connection,
  file: ResumableFile,
  { reference }: PartialUploads,
): Promise<string | undefined> {
  const joined = await findByReference(connection, file, reference)
  return joined === undefined || isIncompleteFile(joined) || isGoneFile(joined) ? undefined : joined.id
}

/**
 * Makes the server copy complete partial uploads to the file, which ends them.
 * @returns id of the file
 * @throws ApiError when the server refuses, or after too many failures
 */
export function joinPartials(
  connection: Connection,
  file: ResumableFile,
  partials: PartialUploads,
): Promise<string> {
  const { uploadID, uploadToken, fileName, signal } = file
  const { reference, ids } = partials
  const policy = retryPolicyOf(connection, file)
  // An earlier request may end them between the search for the file and the next request.
  const mayBeJoined = (error: unknown, failures: number) =>
    failures > 0 && error instanceof ApiError && error.code === 'file_not_found'
  return withRetries(policy, async (failures) => {
    const joined = failures === 0 ? undefined : await findJoined(connection, file, partials)
    if (joined !== undefined) return joined
    try {
      const response = await endpointCalls(connection).request('POST /tus/{uploadID}', {
        params: { uploadID },
        headers: {
          ...tusHeaders,
          'upload-concat': `final;${ids.map((id) => tusPath(uploadID, id)).join(' ')}`,
          'upload-metadata': `fileName ${base64(fileName)},reference ${base64(reference)}`,
        },
        signal,
        access: { uploadToken },
      })
      return idIn(response.header(names.fileId))
    } catch (error) {
      const found = mayBeJoined(error, failures) ? await findJoined(connection, file, partials) : undefined
      if (found === undefined) throw error
      return found
    }
  })
}
