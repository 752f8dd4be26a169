import type { File } from '@svc/contract'
import { createLinks, type Client } from '@svc/sdk'
import { printable, shellWord } from '@svc/terminal'
import { addToHistory, removeFromHistory, type HistoryEntry } from '../state/history.ts'
import { errorMessage } from '../errors/error-message.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { exitStatus } from '../errors/exit-status.ts'
import type { Progress } from '../output/progress.ts'
import type { Program } from '../program/program.ts'
import type { Recorder } from '../state/unfinished/recorder.ts'
import type { FileEncryptor } from './sending/file-encryptor.ts'
import { isSent, type CreatedUpload, type SendResult } from './sending/run-upload.ts'
import { originalSize } from './sending/send-file.ts'

/** An upload whose files are being sent, and what remembers it. */
export interface RunningUpload {
  readonly program: Program
  /** Address of the server. */
  readonly server: string
  readonly client: Client
  readonly upload: CreatedUpload
  readonly recorder: Recorder
  readonly progress: Progress
  /** Encrypts the files; undefined for plain uploads. */
  readonly encryptor: FileEncryptor | undefined
}

interface Remembered {
  readonly name: string
  /** Bytes of the file here. */
  readonly size: number
  /** The file on the server, if it has arrived. */
  readonly file?: File
}

/** Uploads of this process that could not be written to the history: each has one warning. */
const unrecorded = new Set<string>()

/**
 * Writes an upload to the history. Streams leave nothing to list or delete. Where the history cannot be written, the user gets
 * the link with which the upload can be deleted.
 */
export async function remember(
  { program, server, upload, progress }: Pick<RunningUpload, 'program' | 'server' | 'upload' | 'progress'>,
  files: readonly Remembered[],
): Promise<void> {
  if (upload.stream) return
  const entry = {
    server,
    id: upload.id,
    uploadToken: upload.uploadToken,
    createdAt: upload.createdAt,
    expireAt: upload.expireAt,
    names: files.map(({ name }) => name),
    localNames: upload.e2ee === '' ? undefined : localNamesOf(files),
    files: files.length,
    size: files.reduce((sum, { size }) => sum + size, 0),
  }
  try {
    await addToHistory(program, entry)
  } catch (error) {
    if (unrecorded.has(upload.id)) return
    unrecorded.add(upload.id)
    const link = shellWord(createLinks(server).pageURL(upload, upload))
    progress.warn(
      `${printable(errorMessage(error))}; svc ls will not show this upload. To delete it: svc rm ${link}`,
    )
  }
}

/** Only those that differ: names of an upload without a request are not encrypted. */
function localNamesOf(files: readonly Remembered[]): HistoryEntry['localNames'] {
  const names = files.flatMap(({ name, file }) =>
    file === undefined || file.fileName === name ? [] : [[file.id, name] as const],
  )
  return names.length === 0 ? undefined : Object.fromEntries(names)
}

/** Whether files of an upload lost their connection, and another run can resume them. */
export const isUnfinished = (
  { recorder }: Pick<RunningUpload, 'recorder'>,
  results: readonly SendResult[],
): boolean =>
  recorder.canResume &&
  results.some(({ error }) => error !== undefined && exitStatus(error) === exitCodes.unreachable)

/**
 * Ends an upload after its last file. One that lost its connection stays, so that another run can resume it; of one
 * without any file nothing remains.
 */
export async function conclude(running: RunningUpload, results: readonly SendResult[]): Promise<void> {
  const { recorder } = running
  if (isUnfinished(running, results)) {
    keepRecord(running)
    return
  }
  const sent = results.filter(isSent)
  if (sent.length === 0) await discard(running)
  else {
    await remember(
      running,
      sent.map(({ item, file }) => ({
        name: item.name,
        size: originalSize(item, file.fileSize, running.encryptor),
        file,
      })),
    )
    await recorder.finish()
  }
}

/** Ends an upload that was interrupted. It stays if another run can resume it. */
export async function giveUp(running: RunningUpload): Promise<void> {
  if (running.recorder.canResume && running.program.discardsInterrupted !== true) keepRecord(running)
  else await discard(running)
}

function keepRecord({ server, upload, recorder, progress }: RunningUpload): void {
  recorder.keep()
  const link = shellWord(createLinks(server).pageURL(upload))
  progress.warn(
    `the upload is unfinished; to resume it, run the command again, or: svc resume ${link}; to delete it: svc rm ${link}`,
  )
}

async function discard({ program, server, client, upload, recorder }: RunningUpload): Promise<void> {
  await client.removeUpload(upload.id, upload).catch(() => undefined)
  await recorder.finish()
  // A warning has said that the history cannot be written.
  if (!upload.stream) await removeFromHistory(program, server, upload.id).catch(() => undefined)
}
