import type { Connection } from '../http/connection.ts'
import type { ResumableFile } from './resumable-file.ts'

/** Id of the unfinished file of an earlier attempt. */
export async function savedFileID(connection: Connection, of: ResumableFile): Promise<string | undefined> {
  const { memory, fingerprint } = of
  if (memory === undefined || fingerprint === undefined) return undefined
  const fileID = await memory.get(keyOf(connection, of))
  return fileID === null || fileID === '' ? undefined : fileID
}

export async function saveFileID(connection: Connection, of: ResumableFile, fileID: string): Promise<void> {
  if (of.fingerprint !== undefined) await of.memory?.set(keyOf(connection, of), fileID)
}

export async function clearFileID(connection: Connection, of: ResumableFile): Promise<void> {
  await of.memory?.remove(keyOf(connection, of))
}

const keyOf = ({ base }: Connection, { uploadID, fingerprint = '' }: ResumableFile) =>
  `svc-resume ${base} ${uploadID} ${fingerprint}`
