import type { Connection } from '../http/connection.ts'
import type { ResumableFile } from './resumable-file.ts'

/** Begins the saved state of a file that is sent as partial uploads. Ids have no spaces. */
export const partialMark = 'partial '

const isRemembered = ({ memory, fingerprint }: ResumableFile): boolean =>
  memory !== undefined && fingerprint !== undefined

/** What an earlier attempt has begun: the id of a file, or `partialMark` and what partial-uploads.ts writes after it. */
export async function savedState(connection: Connection, file: ResumableFile): Promise<string | undefined> {
  const state = isRemembered(file) ? await file.memory?.get(keyOf(connection, file)) : undefined
  return state === null || state === '' ? undefined : state
}

/** @returns whether another attempt can resume with it */
export async function saveState(
  connection: Connection,
  file: ResumableFile,
  state: string,
): Promise<boolean> {
  if (!isRemembered(file)) return false
  await file.memory?.set(keyOf(connection, file), state)
  return true
}

export async function clearSaved(connection: Connection, file: ResumableFile): Promise<void> {
  await file.memory?.remove(keyOf(connection, file))
}

const keyOf = ({ base }: Connection, { uploadID, fingerprint = '' }: ResumableFile) =>
  `svc-resume ${base} ${uploadID} ${fingerprint}`
