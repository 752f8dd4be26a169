import { appendDurably } from '../durable-file.ts'
import type { Program } from '../../program/program.ts'
import { isRunning, thisProcess } from './owner.ts'
import {
  forgetUnfinished,
  recordPath,
  type RecordChange,
  type SavedKey,
  type UnfinishedFile,
  type UnfinishedUpload,
} from './unfinished-upload.ts'

/** Uploads that this process sends. */
const running = new Set<string>()

/** Keeps the record of a running upload, so that another run can resume the upload if this process is killed at any point. */
export interface Recorder {
  /** Whether another run can resume the upload. */
  readonly canResume: boolean
  /** Durable before the file's first byte is sent. */
  readonly saveFile: (index: number, id: string) => Promise<void>
  readonly saveKey: (index: number, key: SavedKey) => Promise<void>
  /** Removes the record: there is nothing to resume. */
  readonly finish: () => Promise<void>
  /** Leaves the record for another run. From now on, the upload counts as interrupted. */
  readonly keep: () => void
}

/** For uploads that cannot be resumed, and for systems where the record cannot be written. */
export const noRecorder: Recorder = {
  canResume: false,
  saveFile: () => Promise.resolve(),
  saveKey: () => Promise.resolve(),
  finish: () => Promise.resolve(),
  keep: () => undefined,
}

const uploadKey = ({ server, id }: Pick<UnfinishedUpload, 'server' | 'id'>) => `${server} ${id}`

/** Whether no process is sending an unfinished upload. */
export const isInterrupted = ({ clock }: Program, upload: UnfinishedUpload): boolean =>
  !running.has(uploadKey(upload)) && !isRunning(upload.owner, clock)

/**
 * Begins the record of a new upload. Durable when it resolves.
 * @throws errors of the system
 */
export async function beginRecord(
  program: Program,
  upload: Omit<UnfinishedUpload, 'owner'>,
): Promise<Recorder> {
  const owner = thisProcess(program.clock)
  await append(program, upload, { ...upload, owner })
  return recorderOf(program, upload)
}

/**
 * Takes over the record of an unfinished upload.
 * @param files the files that are sent now
 * @throws errors of the system
 */
export async function continueRecord(
  program: Program,
  upload: UnfinishedUpload,
  files: readonly UnfinishedFile[],
): Promise<Recorder> {
  await append(program, upload, { files, owner: thisProcess(program.clock) })
  return recorderOf(program, upload)
}

const append = (
  program: Program,
  upload: Pick<UnfinishedUpload, 'server' | 'id'>,
  line: UnfinishedUpload | RecordChange,
): Promise<void> => appendDurably(recordPath(program, upload), `${JSON.stringify(line)}\n`)

function recorderOf(
  program: Program,
  upload: Pick<UnfinishedUpload, 'server' | 'id' | 'canResume'>,
): Recorder {
  const key = uploadKey(upload)
  running.add(key)
  return {
    canResume: upload.canResume,
    saveFile: (file, id) => append(program, upload, { file, id }),
    saveKey: (file, key) => append(program, upload, { file, key }),
    async finish() {
      running.delete(key)
      await forgetUnfinished(program, upload)
    },
    keep() {
      running.delete(key)
    },
  }
}
