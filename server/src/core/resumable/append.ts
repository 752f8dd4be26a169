import type { Readable } from 'node:stream'
import type { ResumePoint } from '../../data/backend/backend.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import * as errors from '../../domain/errors.ts'
import { isPartial } from '../../domain/files/partial-file.ts'
import type { FileRecord, ResumableRecord, UploadRecord, UserRecord } from '../../domain/records.ts'
import { receivePart, type ReceivedPart } from '../../io/receive/receive-body.ts'
import type { Progress } from '../../metadata/files/resumables.ts'
import { LostRaceError } from '../stats/usage-accounting.ts'
import { ownerOf } from '../uploads/upload-owner.ts'
import { reserveQuota } from '../limits/quota.ts'
import { maxFileSizeOf, requireFileSize } from '../limits/file-size.ts'
import { detectType } from '../uploads/media-type/detect-type.ts'
import type { Base, Metadata, Service, Transfers } from '../service.ts'
import { sniffBytes } from '../uploads/media-type/sniff-type.ts'
import { fileOf, finishOrDiscard } from './offset-and-cancel.ts'
import { createVerifier, type Checksum, type TrailingChecksum } from './part-checksum.ts'
import { finish } from './finish.ts'
import { resumableWrites } from './resumable-writes.ts'
import { expiryOf, stateOf, type ResumableState } from './state.ts'
import type { UploadLock } from './upload-lock.ts'

/** A part of a file that a request carries. */
export interface IncomingPart {
  /** The offset at which the sender continues the file. */
  readonly offset: number
  readonly bytes: Readable
  /** The announced bytes of the part; null when unknown. */
  readonly length: number | null
  /** The bytes of the whole file, when the request states them. */
  readonly size?: number | undefined
  /** The file ends with this part, of any length. */
  readonly isLast?: boolean
  /** The expected hash of the part. A part with another hash, or an interrupted one, is not stored. */
  readonly checksum?: Checksum | TrailingChecksum | undefined
  /** Called with the number of bytes of the file that are durably stored. */
  readonly onStored?: (received: number) => void
  /** Aborted when the request is interrupted. */
  readonly signal: AbortSignal
  readonly budgetKey: BudgetKey | null
}

/** A file that a part is about to extend. */
interface UnfinishedFile {
  readonly upload: UploadRecord
  readonly owner: UserRecord | null
  readonly file: FileRecord
  readonly resumable: ResumableRecord
}

/**
 * Appends a part to a file. The bytes of an interrupted part stay stored. A newer connection ends an older one. The call
 * waits at most a second for another instance that may be dead. The last byte completes the file.
 * @throws ServiceError `offset_mismatch`, `size_mismatch`, `checksum_mismatch`, `upload_aborted`, `taken_over`,
 * `file_not_missing`, `file_not_found`, `no_space`, `unavailable`; `file_too_big`, `quota_reached`,
 * `request_full` and `not_encrypted` discard the file
 */
export async function appendPart(
  service: Service,
  upload: UploadRecord,
  { id }: Pick<FileRecord, 'id'>,
  part: IncomingPart,
): Promise<ResumableState> {
  const owner = await ownerOf(service, upload)
  // Checked first: a request for another upload must not affect the lock holder.
  await fileOf(service, upload, id)
  const appendWithLock = (lock: UploadLock) =>
    finishOrDiscard(service, upload, id, async () => {
      const file = await fileOf(service, upload, id)
      const resumable = await service.store.resumables.find(id)
      if (resumable === undefined) throw errors.fileNotMissing()
      return append(service, { upload, owner, file, resumable }, part, lock)
    })
  return service.uploadLocks.during({ id, uploadId: upload.id }, appendWithLock, {
    disconnected: part.signal,
  })
}

/** The stages of a part: it is checked, gets its reservations, is stored as far as it arrives, and may complete the file. */
async function append(
  service: Service,
  found: UnfinishedFile,
  part: IncomingPart,
  lock: UploadLock,
): Promise<ResumableState> {
  const { upload, file } = found
  const { received } = found.resumable
  if (part.offset !== received) throw errors.offsetMismatch(received)
  const resumable = { ...found.resumable, size: statedSize(service, found, part) }
  const isSizeNew = resumable.size !== found.resumable.size
  const unfinished = { ...found, resumable }
  const remaining = remainingBytes(service, unfinished)
  if (remaining.bytes >= 0 && part.length !== null && part.length > remaining.bytes)
    throw remaining.excessError()
  // All bytes are stored, and only the completion failed: the store may refuse further bytes.
  if (received === resumable.size && part.length === 0) {
    if (isSizeNew) await recordSize(service, resumable)
    return finish(service, { upload, file, resumable }, lock)
  }
  using reserved = await reserve(service, unfinished, { part, isAnnounced: found.resumable.size !== null })
  // After the reservation, because a size for which there is no space must not count as announced.
  if (isSizeNew) await recordSize(service, resumable)
  const { stored, size, hashes, interruptedBy } = await receive(service, unfinished, {
    part,
    remaining,
    reserved,
    lock,
  })
  if (size === stored.received) {
    const complete = { upload, file: { ...file, reserved: reserved.bytes() }, resumable: stored }
    return await finish(service, complete, lock, await hashes.digest())
  }
  hashes.keep(stored.received)
  if (lock.signal.aborted) throw lock.signal.reason
  if (interruptedBy !== undefined) throw errors.abortError(interruptedBy)
  return stateOf(file, { ...stored, size })
}

/** The size of the whole file, which the sender can state once; null while it is unknown. */
function statedSize(
  service: Pick<Service, 'config'>,
  { upload, owner, resumable: { size, received } }: UnfinishedFile,
  part: IncomingPart,
): number | null {
  const stated = part.size ?? (part.isLast === true && part.length !== null ? received + part.length : null)
  if (stated === null || stated === size) return size
  if (size !== null) throw errors.sizeMismatch(size)
  if (stated < received) throw errors.sizeMismatch(stated)
  requireFileSize(service, owner, upload, stated)
  return stated
}

async function recordSize(
  { store }: Pick<Service, 'store'>,
  { fileId, uploadId, size }: ResumableRecord,
): Promise<void> {
  if (size === null) return
  await store.resumables.setSize(fileId, size)
  await store.files.setFileSize({ id: fileId, uploadId }, size)
}

/** The bytes that the file may still receive (-1: no limit), and the error for further bytes. */
interface RemainingBytes {
  readonly bytes: number
  readonly excessError: () => errors.ServiceError
}

function remainingBytes(
  service: Pick<Service, 'config'>,
  { upload, owner, resumable: { size, received } }: UnfinishedFile,
): RemainingBytes {
  if (size !== null) return { bytes: size - received, excessError: () => errors.sizeMismatch(size) }
  const maxFileSize = maxFileSizeOf(service, owner, upload)
  const bytes = maxFileSize < 0 ? -1 : Math.max(0, maxFileSize - received)
  return { bytes, excessError: () => errors.fileTooBig(maxFileSize) }
}

/** The space, budget and quota that a part has reserved until it is disposed of. */
interface PartReservation extends Disposable {
  /** Passes blocks on while there is space, budget and quota for them. */
  readonly cover: (blocks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
  /** The bytes of the quota that are reserved for the file. */
  readonly bytes: () => number
}

async function reserve(
  service: Service,
  { upload, owner, file, resumable: { size, received } }: UnfinishedFile,
  { part, isAnnounced }: { readonly part: IncomingPart; readonly isAnnounced: boolean },
): Promise<PartReservation> {
  const { freeSpace, budgets } = service
  const expected = part.length ?? 0
  using reservations = new DisposableStack()
  const space = await (isAnnounced
    ? freeSpace.resume(expected)
    : freeSpace.announce(part.budgetKey, size === null ? expected : size - received))
  reservations.defer(() => {
    space.end()
  })
  const budget = budgets.receive(part.budgetKey, expected)
  reservations.defer(() => {
    budget.end()
  })
  const quota = await reserveQuota(service, { owner, upload }, file, size ?? received + expected)
  const held = reservations.move()
  return {
    cover: (blocks) => space.guard(budget.cover(quota.cover(blocks, received))),
    bytes: quota.reserved,
    [Symbol.dispose]: () => {
      held.dispose()
    },
  }
}

interface ReceiveOptions {
  readonly part: IncomingPart
  readonly remaining: RemainingBytes
  readonly reserved: PartReservation
  readonly lock: UploadLock
}

/** Stores and hashes a part as far as it arrives. */
async function receive(
  service: Base & Metadata & Transfers,
  unfinished: UnfinishedFile,
  { part, remaining, reserved, lock }: ReceiveOptions,
) {
  const { file, resumable } = unfinished
  const hashes = service.resumableHashes.resume(file.id, resumable.received)
  const body = receivePart(part.bytes, {
    maxSize: remaining.bytes,
    tooBig: remaining.excessError,
    pool: service.hashers.blocks,
    sum: hashes.sum,
    signal: AbortSignal.any([part.signal, lock.signal]),
    clock: service.clock,
  })
  try {
    const stored = await storePart(service, unfinished, { part, body, reserved, lock })
    const { brokenBy: interruptedBy } = await body.end()
    const isLast = part.isLast === true && interruptedBy === undefined
    const size = await sizeAfter(service, unfinished, { isLast, stored })
    return { stored, size, hashes, interruptedBy }
  } catch (error) {
    body.cancel()
    hashes.drop()
    throw error
  }
}

/** The size of a file whose last part had no length. It is recorded at once, because the next steps may fail. */
async function sizeAfter(
  { store }: Pick<Service, 'store'>,
  { file, resumable: { size } }: UnfinishedFile,
  { isLast, stored: { received } }: { readonly isLast: boolean; readonly stored: Progress },
): Promise<number | null> {
  if (size !== null || !isLast) return size
  await store.resumables.setSize(file.id, received)
  return received
}

interface StorePartOptions extends Omit<ReceiveOptions, 'remaining'> {
  readonly body: ReceivedPart
}

/** Stores a part as far as it arrives, and records the progress. */
async function storePart(
  service: Pick<Service, 'clock' | 'config' | 'data' | 'store'>,
  { upload, file, resumable }: UnfinishedFile,
  { part: { checksum, onStored, budgetKey }, body, reserved, lock }: StorePartOptions,
): Promise<Progress> {
  const { store, data } = service
  const writes = resumableWrites(data)
  const { received } = resumable
  let progress: Progress = resumable
  const commit = async ({ offset, session }: ResumePoint): Promise<void> => {
    progress = { received: offset, session, type: progress.type, expireAt: expiryOf(service, upload) }
    if (!(await store.resumables.commit(file.id, lock.id, progress))) throw new LostRaceError()
    onStored?.(offset)
  }
  // A partial upload need not be the beginning of a file.
  if (received === 0 && !isPartial(file))
    progress = { ...progress, type: await typeOf(upload, await body.head, resumable.size) }
  if (received === 0 && resumable.session === '') await commit(await writes.begin(file.id))
  const verifier = checksum === undefined ? undefined : createVerifier(checksum)
  const blocks = verifier?.pass(body.blocks) ?? body.blocks
  const from = { offset: received, session: progress.session }
  const stored = await writes.append(file.id, from, reserved.cover(blocks), {
    // Bytes with a checksum are committed only after its verification.
    commit: verifier === undefined ? commit : () => Promise.resolve(),
    signal: lock.lost,
    sender: budgetKey,
  })
  if (verifier !== undefined) {
    const { brokenBy: interruptedBy } = await body.end()
    if (lock.signal.aborted) throw lock.signal.reason
    if (interruptedBy !== undefined) throw errors.abortError(interruptedBy)
    verifier.verify()
  }
  await commit(stored)
  return progress
}

/** The media type of a file; empty while too few bytes have arrived. */
async function typeOf(upload: UploadRecord, head: Uint8Array, size: number | null): Promise<string> {
  return head.length === sniffBytes || head.length === size ? detectType(upload, head) : ''
}
