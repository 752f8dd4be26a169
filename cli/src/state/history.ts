import { parseJson } from '@svc/contract'
import { appendDurably, readLines } from './durable-file.ts'
import type { Program } from '../program/program.ts'
import { statePath } from '../config/standard-folders.ts'
import { errorMessage } from '../errors/error-message.ts'
import { localFailure } from '../errors/failure.ts'

/** An upload of this computer. Its token lets `svc rm` remove it. */
export interface HistoryEntry {
  /** Address of the server. */
  readonly server: string
  readonly id: string
  readonly uploadToken: string
  readonly createdAt: string
  readonly expireAt: string | null
  /** Names of the first files. */
  readonly names: readonly string[]
  /** Names of the files here, by their ids, where those on the server are encrypted. */
  readonly localNames?: Readonly<Record<string, string>> | undefined
  readonly files: number
  /** Bytes of the files here; encrypted ones are larger on the server. */
  readonly size: number
}

interface Forgotten {
  readonly server: string
  readonly forgotten: string
}

/** Maximum number of stored names of an upload. */
const maxNames = 3

/** Path of the history of uploads. */
export const historyPath = (program: Program): string => statePath(program, 'uploads.jsonl')

/** The last line of this process about an upload. */
const written = new Map<string, string>()

/**
 * Lines are only appended, because several commands may run at the same time. A line that says the same as the one before is left
 * out: the entry of an upload is written before its first byte, and again after the last one.
 * @throws Failure
 */
async function append(program: Program, id: string, entry: HistoryEntry | Forgotten): Promise<void> {
  const line = `${JSON.stringify(entry)}\n`
  const upload = `${entry.server} ${id}`
  if (written.get(upload) === line) return
  try {
    await appendDurably(historyPath(program), line)
    written.set(upload, line)
  } catch (error) {
    throw localFailure(`${historyPath(program)} cannot be written: ${errorMessage(error)}`, error)
  }
}

/** @throws Failure, because the upload could not be deleted without its token */
export const addToHistory = (program: Program, upload: HistoryEntry) =>
  append(program, upload.id, { ...upload, names: upload.names.slice(0, maxNames) })

/** @throws Failure */
export const removeFromHistory = (program: Program, server: string, id: string) =>
  append(program, id, { server, forgotten: id })

/**
 * Uploads of this computer that have not expired, the newest first.
 * @throws Failure if the history cannot be read
 */
export async function readHistory(program: Program): Promise<readonly HistoryEntry[]> {
  const uploads = new Map<string, HistoryEntry>()
  for (const line of await readLines(historyPath(program))) {
    const entry = parseJson(line) as HistoryEntry | Forgotten | undefined
    if (entry === undefined) continue
    if ('forgotten' in entry) uploads.delete(`${entry.server} ${entry.forgotten}`)
    else uploads.set(`${entry.server} ${entry.id}`, entry)
  }
  const now = program.clock.now()
  return [...uploads.values()]
    .filter(({ expireAt }) => expireAt === null || Date.parse(expireAt) > now)
    .reverse()
}

/** The server of an upload of this computer: the preferred one if several have one of that id; undefined without one. */
export function findUploadServer(
  history: readonly HistoryEntry[],
  id: string,
  preferred: string | undefined,
): string | undefined {
  const servers = history.filter((upload) => upload.id === id).map(({ server }) => server)
  return servers.find((server) => server === preferred) ?? servers[0]
}

/** The token of an upload of this computer. */
export const findUploadToken = (
  history: readonly HistoryEntry[],
  server: string,
  id: string,
): string | undefined => history.find((upload) => upload.server === server && upload.id === id)?.uploadToken
