import type { File } from '@svc/contract'
import type { Connection } from '../http/connection.ts'
import { endpointCalls } from '../http/calls.ts'
import { uploadIn } from '../http/upload-responses.ts'
import type { ResumableFile } from './resumable-file.ts'

/** Finds a file whose id is unknown, because the response to its creation was lost. Browsers have `randomUUID` only on pages over HTTPS. */
export const randomReference = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** The file that was created with a reference; undefined when there is none. */
export async function findByReference(
  connection: Connection,
  { uploadID, uploadToken, signal }: ResumableFile,
  reference: string,
): Promise<File | undefined> {
  const { call } = endpointCalls(connection)
  const access = { uploadToken }
  const { files } = uploadIn(await call('GET /upload/{uploadID}', { params: { uploadID }, access, signal }))
  return files.find((file) => file.reference === reference)
}
