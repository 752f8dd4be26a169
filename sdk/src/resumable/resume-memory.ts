import type { Connection } from '../http/connection.ts'
import type { ResumableFile } from './resumable-file.ts'

/** Begins the saved state of a file that is sent as partial uploads. Ids have no spaces. */
export const partialMark = 'partial '

const isRemembered = ({ memory, fingerprint }: ResumableFile): boolean =>
  memory !== undefined && fingerprint !== undefined

/** What an earlier attempt has begun: the id of a file, or `partialMark` and what partial-uploads.ts writes after it. */
export async function savedState(connection: Connection, of: ResumableFile): Promise<string | undefined> {
  const state = isRemembered(of) ? await of.memory?.get(keyOf(connection, of)) : undefined
  return state === null || state === '' ? undefined : state
}

/** @returns whether another attempt can resume with it */
export async function saveState(connection: Connection, of: ResumableFile, state: string): Promise<boolean> {
  if (!isRemembered(of)) return false
  await of.memory?.set(keyOf(connection, of), state)
  return true
}

export async function clearSaved(connection: Connection, of: ResumableFile): Promise<void> {
  await of.memory?.remove(keyOf(connection, of))
}

const keyOf = ({ base }: Connection, { uploadID, fingerprint = '' }: ResumableFile) =>
  `svc-resume ${base} ${uploadID} ${fingerprint}`
