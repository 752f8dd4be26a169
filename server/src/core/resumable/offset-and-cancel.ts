import * as errors from '../../domain/errors.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { LostRaceError } from '../stats/usage-accounting.ts'
import { removeFile } from '../removal/remove-upload.ts'
import type { Base, Metadata, Operations, Service, Streams, Transfers } from '../service.ts'
import { storeErrorResponse } from '../data-store/store-errors.ts'
import { discard } from './discard.ts'
import { finish } from './finish.ts'
import { stateOf, wholeState, type ResumableState } from './state.ts'
import type { UploadLock } from './upload-lock.ts'

/**
 * How far a file is, once nothing more can come over an older connection: that one is cut, as it may be dead without
 * knowing. A file whose last byte came before its process died is made whole. Another instance that may be dead is waited for at most
 * a second.
 * @throws ServiceError `file_not_found`, `file_not_missing` when it does not come in pieces, `taken_over`, `unavailable`
 */
export async function currentOffset(
  service: Base & Metadata & Operations & Transfers,
  upload: UploadRecord,
  { id }: Pick<FileRecord, 'id'>,
): Promise<ResumableState> {
  return untilWhole(
    service,
    { upload, id },
    () =>
      service.uploadLocks.during({ id, uploadId: upload.id }, (turn) =>
        underTurn(service, { upload, id }, turn),
      ),
    wholeState,
  )
}

/**
 * Gives an unfinished file up, or removes one that is whole. Nothing newer takes that over: where something does, its turn is asked
 * for once more. Another instance that may be dead is waited for at most a second.
 * @throws ServiceError `file_not_found`, `file_not_missing`, `unavailable`, as `currentState` does
 */
export async function cancelUpload(
  service: Base & Metadata & Streams & Transfers,
  upload: UploadRecord,
  { id }: Pick<FileRecord, 'id'>,
): Promise<void> {
  await untilWhole(
    service,
    { upload, id },
    () =>
      insisting(() =>
        service.uploadLocks.during({ id, uploadId: upload.id }, () => discard(service, upload, id)),
      ),
    (file) => removeFile(service, upload, file),
  )
}

/** Does some work again for as long as something newer takes its turn. */
async function insisting(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (!(error instanceof errors.ServiceError && error.code === 'taken_over')) throw error
    }
  }
}

/**
 * Does one thing with an unfinished file, or another with one that is whole: it may have become so while the first
 * waited for its turn.
 */
async function untilWhole<Result>(
  service: Pick<Service, 'store'>,
  { upload, id }: Place,
  unfinished: () => Promise<Result>,
  whole: (file: FileRecord) => Result | Promise<Result>,
): Promise<Result> {
  // Whether it is a file of this upload is known before anybody else's turn is touched.
  const file = await fileOf(service, upload, id)
  if (file.status === 'uploaded') return whole(file)
  try {
    return await unfinished()
  } catch (error) {
    if (!(error instanceof errors.ServiceError && error.code === 'file_not_missing')) throw error
    const now = await fileOf(service, upload, id)
    if (now.status !== 'uploaded') throw error
    return whole(now)
  }
}

interface Place {
  readonly upload: UploadRecord
  readonly id: string
}

async function underTurn(
  service: Base & Metadata & Operations & Transfers,
  { upload, id }: Place,
  turn: UploadLock,
): Promise<ResumableState> {
  const resumable = await service.store.resumables.find(id)
  const file = await fileOf(service, upload, id)
  if (resumable === undefined) throw errors.fileNotMissing()
  if (resumable.received !== resumable.size) return stateOf(file, resumable)
  return finishOrDiscard(service, upload, id, () => finish(service, { upload, file, resumable }, turn))
}

/** The file as it is now. @throws ServiceError `file_not_found`, `file_not_missing` when it was not begun */
export async function fileOf(
  { store }: Pick<Service, 'store'>,
  upload: UploadRecord,
  id: string,
): Promise<FileRecord> {
  const file = await store.files.find(upload.id, id)
  if (file === undefined || file.status === 'removed' || file.status === 'deleted')
    throw errors.fileNotFound()
  if (file.status === 'missing') throw errors.fileNotMissing()
  return file
}

/** What no other piece can mend: the file is given up. */
const final: ReadonlySet<string> = new Set(['file_too_big', 'quota_reached', 'not_encrypted'])

/** Does some work with an unfinished file. @throws ServiceError what went wrong, as a refusal */
export async function finishOrDiscard<Result>(
  service: Pick<Service, 'data' | 'log' | 'resumableHashes' | 'store'>,
  upload: UploadRecord,
  fileId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof LostRaceError) {
      const { status } = await fileOf(service, upload, fileId)
      // Another process took it over, as if this one were dead.
      throw status === 'uploading' ? errors.takenOver(cause) : errors.fileNotMissing(cause)
    }
    const error = storeErrorResponse(cause)
    if (error instanceof errors.ServiceError && final.has(error.code)) await discard(service, upload, fileId)
    throw error
  }
}
