import { Readable } from 'node:stream'
import * as errors from '../../domain/errors.ts'
import { fileNotFound } from '../../domain/not-found-errors.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import { isPartial } from '../../domain/files/partial-file.ts'
import type { FileRecord, ResumableRecord, UploadRecord } from '../../domain/records.ts'
import { addNamed } from '../uploads/receive/receive-file.ts'
import type { Service } from '../service.ts'
import { validName, type NewResumable } from './begin.ts'
import { removeData } from './discard.ts'
import { fileOf } from './offset-and-cancel.ts'
import { resumableWrites } from './resumable-writes.ts'
import { completeState, type ResumableState } from './state.ts'

/** A file that consists of partial uploads. */
export interface FinalUpload extends Pick<NewResumable, 'fileName' | 'reference'> {
  /** Ids of partial uploads of the same upload, in their order. */
  readonly parts: readonly string[]
  /** Aborted when the request is interrupted. */
  readonly signal: AbortSignal
  /** The copy spends the budgets, as its parts did. */
  readonly budgetKey: BudgetKey | null
}

/**
 * Adds a file with the bytes of complete partial uploads, which end with it. Their bytes are copied. If it fails or the process
 * ends before, the partial uploads stay, and the request can be repeated; cleanup removes what was copied.
 * @throws ServiceError `invalid_request` for a partial upload that is not complete, `file_not_found`, `taken_over`, `budget_reached`,
 * and the errors of `addFile`
 */
export async function concatenate(
  service: Service,
  upload: UploadRecord,
  { parts, signal, budgetKey, ...named }: FinalUpload,
): Promise<ResumableState> {
  const fileName = validName(named)
  if (new Set(parts).size < parts.length) throw errors.invalidRequest('Upload-Concat names a part twice')
  // Checked first: a request with a wrong part must not affect the connections of the others.
  for (const id of parts) await partOf(service, upload, id)
  service.budgets.spend(budgetKey, 'files')
  // All requests lock parts in the same order: two of them never wait for each other.
  const file = await withLocks(service, upload, parts.toSorted(), signal, async (lockSignal) => {
    const records = []
    for (const id of parts) records.push(await completePart(service, upload, id))
    const expectedSize = records.reduce((sum, { received }) => sum + received, 0)
    const incoming = {
      fileName,
      // Without the signal: it would raise an error event while no one listens. The reader stops at it.
      bytes: Readable.from(bytesOf(service, records), { objectMode: false }),
      expectedSize,
      requestLength: expectedSize,
      complete: () => Promise.resolve(),
      signal: lockSignal,
      budgetKey,
    }
    const replaced = records.map(({ fileId: id }) => ({ id }))
    return addNamed(service, upload, incoming, { reference: named.reference, parts: replaced })
  })
  await removeBytes(service, parts)
  return completeState(file)
}

/** @throws ServiceError `file_not_found`, `invalid_request` */
async function partOf(service: Service, upload: UploadRecord, id: string): Promise<FileRecord> {
  const file = await fileOf(service, upload, id)
  if (!isPartial(file)) throw errors.invalidRequest('Upload-Concat must name partial uploads')
  return file
}

async function completePart(service: Service, upload: UploadRecord, id: string): Promise<ResumableRecord> {
  await partOf(service, upload, id)
  const resumable = await service.store.resumables.find(id)
  if (resumable === undefined) throw fileNotFound()
  if (resumable.received !== resumable.size)
    throw errors.invalidRequest('a part of Upload-Concat is not complete: send its missing bytes first')
  return resumable
}

/**
 * Runs some work as the only writer of several files.
 * @param work gets a signal that is aborted when the request is interrupted or a newer connection takes one of the files over
 */
function withLocks<Result>(
  service: Service,
  upload: UploadRecord,
  [id, ...others]: readonly string[],
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (id === undefined) return work(signal)
  return service.uploadLocks.during(
    { id, uploadId: upload.id },
    (lock) => withLocks(service, upload, others, AbortSignal.any([signal, lock.signal]), work),
    { disconnected: signal },
  )
}

/** The stored bytes of complete partial uploads, one after the other. */
async function* bytesOf(
  { data }: Pick<Service, 'data'>,
  parts: readonly ResumableRecord[],
): AsyncGenerator<Uint8Array> {
  const writes = resumableWrites(data)
  for (const { fileId, received: offset, session } of parts) {
    if (offset === 0) continue
    await writes.finish(fileId, { offset, session })
    yield* await data.get(fileId)
  }
}

/** Cleanup removes what cannot be removed now: the rows say that it is not needed. */
async function removeBytes(service: Service, parts: readonly string[]): Promise<void> {
  for (const id of parts) {
    service.resumableHashes.forget(id)
    try {
      await removeData(service, id)
    } catch (error) {
      service.log.warn({ err: error, file: id }, 'the data of a partial upload could not be removed yet')
    }
  }
}
