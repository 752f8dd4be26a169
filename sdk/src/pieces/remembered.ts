import type { Connection } from '../connection.ts'
import type { PiecesOf } from './pieces-of.ts'

/** Id of the file that was on its way when somebody sent this one before. */
export async function rememberedID(connection: Connection, of: PiecesOf): Promise<string | undefined> {
  const { memory, fingerprint } = of
  if (memory === undefined || fingerprint === undefined) return undefined
  const fileID = await memory.get(keyOf(connection, of))
  return fileID === null || fileID === '' ? undefined : fileID
}

export async function remember(connection: Connection, of: PiecesOf, fileID: string): Promise<void> {
  if (of.fingerprint !== undefined) await of.memory?.set(keyOf(connection, of), fileID)
}

export async function forget(connection: Connection, of: PiecesOf): Promise<void> {
  await of.memory?.remove(keyOf(connection, of))
}

const keyOf = ({ base }: Connection, { uploadID, fingerprint = '' }: PiecesOf) =>
  `svc-resume ${base} ${uploadID} ${fingerprint}`
