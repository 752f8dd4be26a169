import type { Connection } from '../http/connection.ts'
import { beginFile } from './begin-file.ts'
import type { ResumableFile } from './resumable-file.ts'
import { clearSaved, partialMark, savedState } from './resume-memory.ts'
import { sendRest } from './send-rest.ts'

/**
 * Sends a file in parts by tus 1.0.0, and resumes where it stopped.
 * @returns id of the file; undefined when the server, or a proxy before it, does not support tus
 * @throws ApiError when the server refuses, or after too many failures
 */
export async function sendInParts(connection: Connection, file: ResumableFile): Promise<string | undefined> {
  const saved = await savedState(connection, file)
  const partials = saved?.startsWith(partialMark) === true ? saved : undefined
  const { parallel = 1, fileID } = file
  // A declared file cannot consist of partial uploads.
  if (fileID === undefined && (partials !== undefined || (saved === undefined && parallel > 1))) {
    // Few programs need it, so bundlers can load it later.
    const { sendInParallel } = await import('./send-in-parallel.ts')
    const id = await sendInParallel(connection, file, partials)
    if (id !== undefined) return id
  }
  const resumePoint = await beginFile(connection, file, partials === undefined ? saved : undefined)
  if (resumePoint === undefined) return undefined
  await sendRest(connection, file, resumePoint)
  await clearSaved(connection, file)
  return resumePoint.fileID
}
