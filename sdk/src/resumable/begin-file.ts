import { headers as names, tusBytes } from '@svc/contract'
import { ApiError } from '../errors/api-error.ts'
import { base64 } from '../http/base64.ts'
import { withRetries } from '../retry/retry-policy.ts'
import { idIn } from '../http/upload-responses.ts'
import type { Connection } from '../http/connection.ts'
import { endpointCalls, pathTo } from '../http/calls.ts'
import { findByReference, randomReference } from './file-reference.ts'
import type { ResumableFile } from './resumable-file.ts'
import { clearSaved, saveState } from './resume-memory.ts'
import { isUnsupported, retryPolicyOf } from './recovery.ts'
import { fetchState, parseOffset, removeUnfinished, tusHeaders } from './tus-state.ts'

/** Files up to this size are sent with the request that creates them, if it may be repeated. */
const singleRequestBytes = 1024 * 1024

export interface ResumePoint {
  readonly fileID: string
  readonly offset: number
}

/** The creation of a file. */
interface Creation {
  /** With it, a file is found whose id is unknown. */
  readonly reference: string
  /** Whether the server may have created the file: the response to the request may be lost. */
  isUncertain: boolean
}

/**
 * Finds the offset of an unfinished file, or creates a file. If the response to a creation was lost, the file is found by
 * its id if it was declared, otherwise by a random reference.
 * @param savedID id of a file that an earlier attempt began
 * @returns undefined when the server, or a proxy before it, does not support tus
 */
export async function beginFile(
  connection: Connection,
  file: ResumableFile,
  savedID: string | undefined,
): Promise<ResumePoint | undefined> {
  const creation: Creation = { reference: randomReference(), isUncertain: false }
  try {
    return await findOrCreate(connection, file, creation, savedID)
  } catch (error) {
    // Not awaited, because the caller has aborted. Other clients also know the id of a declared file.
    if (creation.isUncertain && file.fileID === undefined && file.signal?.aborted)
      void removeCreated(connection, file, creation)
    throw error
  }
}

async function findOrCreate(
  connection: Connection,
  file: ResumableFile,
  creation: Creation,
  savedID: string | undefined,
): Promise<ResumePoint | undefined> {
  const policy = retryPolicyOf(connection, file)
  let fileID = savedID
  return withRetries(policy, async () => {
    if (creation.isUncertain)
      fileID ??= file.fileID ?? (await findByReference(connection, file, creation.reference))?.id
    const resumePoint = await findResumePoint(connection, file, fileID)
    if (resumePoint !== undefined) return resumePoint
    fileID = undefined
    creation.isUncertain = true
    return createFile(connection, file, creation)
  })
}

/** Removes a file whose upload ended before its id was known. Never rejects. */
async function removeCreated(connection: Connection, file: ResumableFile, creation: Creation): Promise<void> {
  try {
    const created = await findByReference(connection, { ...file, signal: undefined }, creation.reference)
    if (created !== undefined) await removeUnfinished(connection, file, created.id)
  } catch {
    // The server expires the file later.
  }
}

/** Undefined when the file was not created, or is removed. */
async function findResumePoint(
  connection: Connection,
  file: ResumableFile,
  fileID: string | undefined,
): Promise<ResumePoint | undefined> {
  if (fileID === undefined) return undefined
  try {
    const state = await fetchState(connection, file, fileID)
    if (state.size === file.size) {
      await saveState(connection, file, fileID)
      return { fileID, offset: state.offset }
    }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 409)) throw error
  }
  await clearSaved(connection, file)
  return undefined
}

async function createFile(
  connection: Connection,
  file: ResumableFile,
  { reference }: Creation,
): Promise<ResumePoint | undefined> {
  const { uploadID, uploadToken, fileID, fileName, size, signal } = file
  const known = fileID === undefined ? ['reference', reference] : ['fileID', fileID]
  const metadata = [['fileName', fileName], known]
    .map(([name = '', value = '']) => `${name} ${base64(value)}`)
    .join(',')
  const params = { uploadID }
  const headers = { ...tusHeaders, 'upload-length': String(size), 'upload-metadata': metadata }
  // After an interruption a declared file is found by its id.
  const isWhole = fileID !== undefined && size > 0 && size <= singleRequestBytes
  try {
    const response = isWhole
      ? await connection.sendPart(pathTo('POST /tus/{uploadID}', params), {
          method: 'POST',
          headers: { ...headers, 'content-type': tusBytes.type },
          body: file.slice(0, size),
          onProgress: ({ sent }) => file.onProgress?.({ sent, total: size }),
          signal,
          uploadToken,
        })
      : await endpointCalls(connection).request('POST /tus/{uploadID}', {
          params,
          headers,
          signal,
          access: { uploadToken },
        })
    signal?.throwIfAborted()
    const header = response.header(names.fileId)
    if (header === null) return undefined
    const id = idIn(header)
    await saveState(connection, file, id)
    return { fileID: id, offset: parseOffset(response.header('upload-offset')) ?? 0 }
  } catch (error) {
    if (isUnsupported(error)) return undefined
    throw error
  }
}
