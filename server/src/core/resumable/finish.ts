import { fileNotFound } from '../../domain/not-found-errors.ts'
import { isPartial } from '../../domain/files/partial-file.ts'
import type { FileRecord, ResumableRecord, UploadRecord } from '../../domain/records.ts'
import type { Hashes } from '../../io/hash/hash-messages.ts'
import { hashStored } from '../../io/hash/hash-stored.ts'
import { retakePlace } from '../limits/request-limits.ts'
import { inAccountingTransaction, recordStored } from '../stats/usage-accounting.ts'
import { detectType } from '../uploads/media-type/detect-type.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../service.ts'
import { sniffBytes } from '../uploads/media-type/sniff-type.ts'
import { resumableWrites } from './resumable-writes.ts'
import { completeState, stateOf, type ResumableState } from './state.ts'
import type { UploadLock } from './upload-lock.ts'

/** A file whose bytes are all stored. */
export interface CompleteFile {
  readonly upload: UploadRecord
  /** With its current reservation. */
  readonly file: FileRecord
  readonly resumable: Pick<ResumableRecord, 'received' | 'session' | 'type' | 'expireAt'>
}

/**
 * Completes a file whose last byte has arrived; the caller holds its lock. If the hashes are unknown, because another
 * instance received a part, the bytes are read again. A partial upload stays as it is, for the final upload.
 * @throws ServiceError `not_encrypted`, `file_not_found` when the file was removed in the meantime;
 * StoreUnavailableError
 */
export async function finish(
  service: Base & Metadata & Operations & Transfers,
  { upload, file, resumable }: CompleteFile,
  lock: UploadLock,
  hashes?: Hashes,
): Promise<ResumableState> {
  const { store, data, clock, hashers } = service
  const { received: size } = resumable
  if (isPartial(file)) return stateOf(file, { ...resumable, size })
  const writes = resumableWrites(data)
  // No part has begun an empty file.
  const session = size === 0 ? (await writes.begin(file.id)).session : resumable.session
  await writes.finish(file.id, { offset: size, session })
  const { md5, crc32 } = hashes ?? (await hashStored(hashers, await data.get(file.id)))
  const type =
    resumable.type === '' ? await detectType(upload, await headOf(service, file.id, size)) : resumable.type
  const stored = { fileSize: size, type, md5, crc32, uploadedAt: clock.now() }
  const isStored = await inAccountingTransaction(store, async (transaction) => {
    // An empty file has reserved nothing, so its upload may have lost its place.
    if (size === 0) await transaction.uploads.lock(upload.id)
    if (size === 0) await retakePlace(transaction, upload, clock.now())
    await recordStored(transaction, upload, { ...file, instance: lock.instance }, stored)
    await transaction.resumables.remove(file.id)
  })
  if (!isStored) throw fileNotFound()
  service.dailyStats.fileArrived(size)
  service.arrivals.record(upload)
  return completeState({ ...file, ...stored, status: 'uploaded', instance: null })
}

async function headOf({ data }: Pick<Service, 'data'>, fileId: string, size: number): Promise<Uint8Array> {
  const head = []
  for await (const chunk of await data.get(fileId, { start: 0, end: Math.min(size, sniffBytes) - 1 }))
    head.push(Buffer.from(chunk))
  return Buffer.concat(head)
}
