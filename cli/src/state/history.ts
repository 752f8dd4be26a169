import { readFile } from 'node:fs/promises'
import { parseJson } from '@svc/contract'
import { appendDurably } from './durable-file.ts'
import type { Program } from '../program/program.ts'
import { statePath } from '../config/standard-folders.ts'

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
const historyPath = (program: Program): string => statePath(program, 'uploads.jsonl')

/** The last line of this process about an upload. */
const written = new Map<string, string>()

/**
 * Lines are only appended, because several commands may run at the same time. A line that says the same as the one before is left
 * out: the entry of an upload is written before its first byte, and again after the last one.
 */
async function append(program: Program, id: string, entry: HistoryEntry | Forgotten): Promise<void> {
  const line = `${JSON.stringify(entry)}\n`
  const upload = `${entry.server} ${id}`
  if (written.get(upload) === line) return
  try {
    await appendDurably(historyPath(program), line)
    written.set(upload, line)
  } catch {
    // A read-only home folder must not make the command fail.
  }
}

export const addToHistory = (program: Program, upload: HistoryEntry) =>
  append(program, upload.id, { ...upload, names: upload.names.slice(0, maxNames) })

export const removeFromHistory = (program: Program, server: string, id: string) =>
  append(program, id, { server, forgotten: id })

/** Uploads of this computer that have not expired, the newest first. */
export async function readHistory(program: Program): Promise<readonly HistoryEntry[]> {
  const text = await readFile(historyPath(program), 'utf8').catch(() => '')
  const uploads = new Map<string, HistoryEntry>()
  for (const line of text.split('\n')) {
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

/**
 * The server of an upload of this computer; undefined if it knows no such upload.
 * @param preferred the server whose upload it is if several have one of that id
 */
export async function findUploadServer(
  program: Program,
  id: string,
  preferred: string | undefined,
): Promise<string | undefined> {
  const servers = (await readHistory(program))
    .filter((upload) => upload.id === id)
    .map(({ server }) => server)
  return servers.find((server) => server === preferred) ?? servers[0]
}

/** The token of an upload of this computer. */
export async function findUploadToken(program: Program, server: string, id: string) {
  const uploads = await readHistory(program)
  return uploads.find((upload) => upload.server === server && upload.id === id)?.uploadToken
}
