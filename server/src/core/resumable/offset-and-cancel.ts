import { isGoneFile } from '@svc/contract'
import * as errors from '../../domain/errors.ts'
import { fileNotFound } from '../../domain/not-found-errors.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { LostRaceError } from '../stats/usage-accounting.ts'
import { removeFile } from '../removal/remove-upload.ts'
import { authorize, type Credentials } from '../uploads/authorize.ts'
import type { Base, Metadata, Operations, Service, Streams, Transfers } from '../service.ts'
import { translateDataStoreError } from '../data-store/translate-error.ts'
import { discard } from './discard.ts'
import { finish } from './finish.ts'
import { stateOf, completeState, type ResumableState } from './state.ts'
import type { UploadLock } from './upload-lock.ts'

/**
 * The offset of a file, after an older connection has stopped writing: that connection may be broken without being
 * closed. A file whose last byte arrived before its instance died is completed. The call waits at most a second for
 * another instance that may be dead.
 * @throws ServiceError `file_not_found`, `file_not_missing` when the file is not resumable, `taken_over`,
 * `unavailable`
 */
export async function currentOffset(
  service: Base & Metadata & Operations & Transfers,
  upload: UploadRecord,
  { id }: Pick<FileRecord, 'id'>,
): Promise<ResumableState> {
  return byCompleteness(
    service,
    { upload, id },
    () =>
      service.uploadLocks.during({ id, uploadId: upload.id }, (lock) =>
        offsetWithLock(service, { upload, id }, lock),
      ),
    completeState,
  )
}

/**
 * Discards an unfinished file, or removes a complete one. If a newer connection takes over the lock, the lock is requested
 * again. The call waits at most a second for another instance that may be dead.
 * @param credentials credentials of a request that may add files; to remove a complete file, they must allow to remove files
 * @throws ServiceError `file_not_found`, `file_not_missing`, `unavailable`, `not_allowed`, `wrong_credentials`,
 * `too_many_attempts`
 */
export async function cancelFile(
  service: Base & Metadata & Streams & Transfers & Pick<Service, 'passwords'>,
  upload: UploadRecord,
  { id }: Pick<FileRecord, 'id'>,
  credentials: Credentials,
): Promise<void> {
  await byCompleteness(
    service,
    { upload, id },
    () =>
      retryWhileTakenOver(() =>
        service.uploadLocks.during({ id, uploadId: upload.id }, () => discard(service, upload, id)),
      ),
    async (file) => {
      await authorize(service, 'remove files', upload, credentials)
      await removeFile(service, upload, file)
    },
  )
}

const isTakenOver = (error: unknown) => error instanceof errors.ServiceError && error.code === 'taken_over'

/** Repeats some work as long as a newer connection takes over the lock. */
async function retryWhileTakenOver(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (!isTakenOver(error)) throw error
    }
  }
}

/**
 * Runs one function for an unfinished file, or another for a complete one. The file may become complete while the
 * first waits for the lock.
 */
async function byCompleteness<Result>(
  service: Pick<Service, 'store'>,
  { upload, id }: FileReference,
  unfinished: () => Promise<Result>,
  complete: (file: FileRecord) => Result | Promise<Result>,
): Promise<Result> {
  // Checked first: a request for another upload must not affect the lock holder.
  const file = await fileOf(service, upload, id)
  if (file.status === 'uploaded') return complete(file)
  try {
    return await unfinished()
  } catch (error) {
    if (!(error instanceof errors.ServiceError && error.code === 'file_not_missing')) throw error
    const now = await fileOf(service, upload, id)
    if (now.status !== 'uploaded') throw error
    return complete(now)
  }
}

interface FileReference {
  readonly upload: UploadRecord
  readonly id: string
}

async function offsetWithLock(
  service: Base & Metadata & Operations & Transfers,
  { upload, id }: FileReference,
  lock: UploadLock,
): Promise<ResumableState> {
  const resumable = await service.store.resumables.find(id)
  const file = await fileOf(service, upload, id)
  if (resumable === undefined) throw errors.fileNotMissing()
  if (resumable.received !== resumable.size) return stateOf(file, resumable)
  return finishOrDiscard(service, upload, id, () => finish(service, { upload, file, resumable }, lock))
}

/**
 * The current record of a file.
 * @throws ServiceError `file_not_found`, `file_not_missing` when the upload of the file has not started
 */
export async function fileOf(
  { store }: Pick<Service, 'store'>,
  upload: UploadRecord,
  id: string,
): Promise<FileRecord> {
  const file = await store.files.find(upload.id, id)
  if (file === undefined || isGoneFile(file)) throw fileNotFound()
  if (file.status === 'missing') throw errors.fileNotMissing()
  return file
}

/** Errors that no further part can correct: the file is discarded. */
const finalErrors: ReadonlySet<string> = new Set([
  'file_too_big',
  'quota_reached',
  'request_full',
  'place_taken',
  'not_encrypted',
])

/**
 * Runs some work with an unfinished file, and discards the file after an error that no further part can correct.
 * @throws ServiceError the cause as an error for the client
 */
export async function finishOrDiscard<Result>(
  service: Pick<Service, 'data' | 'log' | 'resumableHashes' | 'store'>,
  upload: UploadRecord,
  fileId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof LostRaceError || isTakenOver(cause)) {
      // The file may also be gone.
      const { status } = await fileOf(service, upload, fileId)
      // Another connection took over the file, or another instance because this one seemed dead.
      throw status === 'uploading' ? errors.takenOver(cause) : errors.fileNotMissing(cause)
    }
    const error = translateDataStoreError(cause)
    if (error instanceof errors.ServiceError && finalErrors.has(error.code))
      await discard(service, upload, fileId)
    throw error
  }
}
