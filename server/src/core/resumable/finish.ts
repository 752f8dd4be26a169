import * as errors from '../../domain/errors.ts'
import type { FileRecord, ResumableRecord, UploadRecord } from '../../domain/records.ts'
import type { Hashes } from '../../io/hash/hash-messages.ts'
import { hashStored } from '../../io/hash/hash-stored.ts'
import { inAccountingTransaction, accountStored } from '../stats/usage-accounting.ts'
import { detectType } from '../uploads/detect-type.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../service.ts'
import { sniffBytes } from '../uploads/sniff-type.ts'
import { resumableWrites } from './resumable-writes.ts'
import { wholeState, type ResumableState } from './state.ts'
import type { UploadLock } from './upload-lock.ts'

/** A file of which every byte is stored. */
export interface Complete {
  readonly upload: UploadRecord
  /** With what is reserved for it by now. */
  readonly file: FileRecord
  readonly resumable: Pick<ResumableRecord, 'received' | 'session' | 'type'>
}

/**
 * Makes a file whole whose last byte has come, as the turn's writer. Where its hashes are not known (another process
 * received a part of it), its bytes are read once more.
 * @throws ServiceError `not_encrypted`, `file_not_found` when it was removed meanwhile; StoreUnavailableError
 */
export async function finish(
  service: Base & Metadata & Operations & Transfers,
  { upload, file, resumable }: Complete,
  turn: UploadLock,
  hashes?: Hashes,
): Promise<ResumableState> {
  const { store, data, clock, hashers } = service
  const { received: size } = resumable
  const writes = resumableWrites(data)
  // An empty file has no piece that it began with.
  const session = size === 0 ? (await writes.begin(file.id)).session : resumable.session
  await writes.finish(file.id, { offset: size, session })
  const { md5, crc32 } = hashes ?? (await hashStored(hashers, await data.get(file.id)))
  const type =
    resumable.type === '' ? await detectType(upload, await headOf(service, file.id, size)) : resumable.type
  const stored = { fileSize: size, type, md5, crc32, uploadedAt: clock.now() }
  const won = await inAccountingTransaction(store, async (books) => {
    await accountStored(books, upload, { ...file, instance: turn.instance }, stored)
    await books.resumables.forget(file.id)
  })
  if (!won) throw errors.fileNotFound()
  service.dailyCounters.fileArrived(size)
  return wholeState({ ...file, ...stored, status: 'uploaded', instance: null })
}

async function headOf({ data }: Pick<Service, 'data'>, fileId: string, size: number): Promise<Uint8Array> {
  const head = []
  for await (const chunk of await data.get(fileId, { start: 0, end: Math.min(size, sniffBytes) - 1 }))
    head.push(Buffer.from(chunk))
  return Buffer.concat(head)
}
