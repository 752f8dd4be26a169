import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { StoredPart } from '../../data/backend/backend.ts'
import type { Payer } from '../../domain/access/payer.ts'
import * as errors from '../../domain/errors.ts'
import type { FileRecord, ResumableRecord, UploadRecord, UserRecord } from '../../domain/records.ts'
import { maxFileSizeOf } from '../../domain/limits/user-limits.ts'
import { receivePart, type ReceivedPart } from '../../io/receive/receive-body.ts'
import type { Progress } from '../../metadata/files/resumables.ts'
import { LostRaceError } from '../stats/usage-accounting.ts'
import type { Space } from '../limits/free-space.ts'
import { ownerOf } from '../uploads/upload-owner.ts'
import { reserveQuota, type Reservation } from '../limits/quota.ts'
import { detectType } from '../uploads/detect-type.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../service.ts'
import { sniffBytes } from '../uploads/sniff-type.ts'
import { fileOf, finishOrDiscard } from './offset-and-cancel.ts'
import { finish } from './finish.ts'
import { resumableWrites } from './resumable-writes.ts'
import { expiryOf, stateOf, type ResumableState } from './state.ts'
import type { UploadLock } from './upload-lock.ts'

/** A piece of a file, by whatever door. */
export interface IncomingPart {
  /** Where its sender believes that the file goes on. */
  readonly offset: number
  readonly bytes: Readable
  /** Bytes that are announced for the piece; null when unknown. */
  readonly length: number | null
  /** Bytes of the whole file, when they are told with this piece. */
  readonly size?: number | undefined
  /** The file ends with this piece, however long it turns out to be. */
  readonly isLast?: boolean
  /** What the bytes must hash to; a piece that does not, or that breaks off, counts for nothing. */
  readonly checksum?: Checksum | undefined
  /** Told how many bytes of the file are safely stored by now. */
  readonly onStored?: (received: number) => void
  /** Aborted when the request breaks off. */
  readonly signal: AbortSignal
  readonly payer: Payer | null
}

/** A file that a piece is about to be appended to. */
interface Growing {
  readonly upload: UploadRecord
  readonly owner: UserRecord | null
  readonly file: FileRecord
  readonly resumable: ResumableRecord
}

export interface Checksum {
  /** As `node:crypto` names it. */
  readonly algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512'
  readonly digest: Buffer
}

/**
 * Appends a piece to a file. What came of a piece that breaks off is kept; a newer connection cuts an older one. Another instance that
 * may be dead is waited for at most a second. With its last byte the file is made whole.
 * @throws ServiceError `offset_mismatch`, `size_mismatch`, `checksum_mismatch`, `upload_aborted`, `taken_over`,
 * `file_not_missing`, `file_not_found`, `no_space`, `unavailable`; `file_too_big`, `quota_reached` and `not_encrypted`
 * give the file up
 */
export async function appendPart(
  service: Service,
  upload: UploadRecord,
  { id }: Pick<FileRecord, 'id'>,
  piece: IncomingPart,
): Promise<ResumableState> {
  const owner = await ownerOf(service, upload)
  // Whether it is a file of this upload is known before anybody else's turn is touched.
  await fileOf(service, upload, id)
  const appendInTurn = (turn: UploadLock) =>
    finishOrDiscard(service, upload, id, async () => {
      const file = await fileOf(service, upload, id)
      const resumable = await service.store.resumables.find(id)
      if (resumable === undefined) throw errors.fileNotMissing()
      if (piece.offset !== resumable.received) throw errors.offsetMismatch(resumable.received)
      const size = await settleSize(service, owner, resumable, piece)
      return append(service, { upload, owner, file, resumable: { ...resumable, size } }, piece, turn)
    })
  return service.uploadLocks.during({ id, uploadId: upload.id }, appendInTurn, { gone: piece.signal })
}

/** The size of the whole file, which can be told once. */
async function settleSize(
  { store, config }: Pick<Service, 'config' | 'store'>,
  owner: UserRecord | null,
  { fileId, uploadId, size, received }: ResumableRecord,
  piece: IncomingPart,
): Promise<number | null> {
  const told = piece.size ?? (piece.isLast === true && piece.length !== null ? received + piece.length : null)
  if (told === null || told === size) return size
  if (size !== null) throw errors.sizeMismatch(size)
  if (told < received) throw errors.sizeMismatch(told)
  const maxFileSize = maxFileSizeOf(owner, config)
  if (maxFileSize >= 0 && told > maxFileSize) throw errors.fileTooBig(maxFileSize)
  await store.resumables.settleSize(fileId, told)
  await store.files.announce({ id: fileId, uploadId }, told)
  return told
}

async function append(
  service: Service,
  growing: Growing,
  piece: IncomingPart,
  turn: UploadLock,
): Promise<ResumableState> {
  const { upload, file, resumable } = growing
  const { received, size: known } = resumable
  const room = roomFor(service, growing)
  if (room.bytes >= 0 && piece.length !== null && piece.length > room.bytes) throw room.excess()
  // Only the finishing failed before: the store may have done its part of it, and takes nothing more.
  if (received === known && piece.length === 0) return finish(service, { upload, file, resumable }, turn)
  const expected = piece.length ?? 0
  const { freeSpace } = service
  const space = await (known === null ? freeSpace.announce(expected) : freeSpace.goOn(expected))
  try {
    const paid = service.budgets.receive(piece.payer, expected)
    try {
      const guard: Space['guard'] = (chunks) => space.guard(paid.cover(chunks))
      return await appendWithin(service, growing, { piece, room, turn, space: { ...space, guard } })
    } finally {
      paid.end()
    }
  } finally {
    space.end()
  }
}

interface Appending {
  readonly piece: IncomingPart
  readonly room: Room
  readonly turn: UploadLock
  readonly space: Space
}

async function appendWithin(
  service: Base & Metadata & Operations & Transfers,
  growing: Growing,
  { piece, room, turn, space }: Appending,
): Promise<ResumableState> {
  const { upload, owner, file, resumable } = growing
  const { received, size: known } = resumable
  const quota = await reserveQuota(service, owner, file, known ?? received + (piece.length ?? 0))
  const hashes = service.resumableHashes.resume(file.id, received)
  const intake = receivePart(piece.bytes, {
    maxSize: room.bytes,
    tooBig: room.excess,
    pool: service.hashers.blocks,
    sum: hashes.sum,
    signal: AbortSignal.any([piece.signal, turn.signal]),
  })
  const { stored, size, brokenBy } = await take(service, growing, {
    piece,
    intake,
    quota,
    space,
    turn,
  }).catch((error: unknown) => {
    intake.abandon()
    hashes.drop()
    throw error
  })
  if (size === stored.received) {
    const complete = { upload, file: { ...file, reserved: quota.reserved() }, resumable: stored }
    return finish(service, complete, turn, await hashes.digest())
  }
  hashes.keep(stored.received)
  if (turn.signal.aborted) throw turn.signal.reason
  if (brokenBy !== undefined) throw errors.brokenOff(brokenBy)
  return stateOf(file, { ...stored, size })
}

/** How many bytes may still come, and what is wrong with the first one beyond; -1 for no limit. */
interface Room {
  readonly bytes: number
  readonly excess: () => errors.ServiceError
}

function roomFor(
  { config }: Pick<Service, 'config'>,
  { owner, resumable: { size, received } }: Growing,
): Room {
  if (size !== null) return { bytes: size - received, excess: () => errors.sizeMismatch(size) }
  const maxFileSize = maxFileSizeOf(owner, config)
  const bytes = maxFileSize < 0 ? -1 : Math.max(0, maxFileSize - received)
  return { bytes, excess: () => errors.fileTooBig(maxFileSize) }
}

/** Takes a piece as far as it comes. @returns how far the file is, how long it will be, and why the piece broke off */
async function take(
  service: Pick<Service, 'clock' | 'config' | 'data' | 'store'>,
  growing: Growing,
  storing: Storing,
) {
  const stored = await storePiece(service, growing, storing)
  const { brokenBy } = await storing.intake.end()
  const isLast = storing.piece.isLast === true && brokenBy === undefined
  return { stored, size: await sizeAfter(service, growing, { isLast, stored }), brokenBy }
}

/** The size of a file whose last piece came without a length is known now; written down, as what follows may fail. */
async function sizeAfter(
  { store }: Pick<Service, 'store'>,
  { file, resumable: { size } }: Growing,
  { isLast, stored: { received } }: { readonly isLast: boolean; readonly stored: Progress },
): Promise<number | null> {
  if (size !== null || !isLast) return size
  await store.resumables.settleSize(file.id, received)
  return received
}

interface Storing {
  readonly piece: IncomingPart
  readonly intake: ReceivedPart
  readonly quota: Reservation
  readonly space: Space
  readonly turn: UploadLock
}

/** Stores a piece as far as it comes. @returns how far the file is stored now, which is written down already */
async function storePiece(
  service: Pick<Service, 'clock' | 'config' | 'data' | 'store'>,
  { upload, file, resumable }: Growing,
  { piece: { checksum, onStored }, intake, quota, space, turn }: Storing,
): Promise<Progress> {
  const { store, data } = service
  const writes = resumableWrites(data)
  const { received } = resumable
  let progress: Progress = resumable
  const writeDown = async ({ offset, session }: StoredPart): Promise<void> => {
    progress = { received: offset, session, type: progress.type, expireAt: expiryOf(service, upload) }
    if (!(await store.resumables.commit(file.id, turn.id, progress))) throw new LostRaceError()
    onStored?.(offset)
  }
  if (received === 0)
    progress = { ...progress, type: await typeOf(upload, await intake.head, resumable.size) }
  if (received === 0 && resumable.session === '') await writeDown(await writes.begin(file.id))
  const hash = checksum === undefined ? undefined : createHash(checksum.algorithm)
  const blocks = hash === undefined ? intake.blocks : hashing(intake.blocks, hash)
  const from = { offset: received, session: progress.session }
  const covered = space.guard(quota.cover(blocks, received))
  const stored = await writes.append(file.id, from, covered, {
    // What is not checked yet does not count.
    commit: hash === undefined ? writeDown : () => Promise.resolve(),
    signal: turn.lost,
  })
  if (hash !== undefined && checksum !== undefined) {
    const { brokenBy } = await intake.end()
    if (turn.signal.aborted) throw turn.signal.reason
    if (brokenBy !== undefined) throw errors.brokenOff(brokenBy)
    if (!hash.digest().equals(checksum.digest)) throw errors.checksumMismatch()
  }
  await writeDown(stored)
  return progress
}

/** The media type of a file, if so much of it has come that it can be told. */
async function typeOf(upload: UploadRecord, head: Uint8Array, size: number | null): Promise<string> {
  return head.length === sniffBytes || head.length === size ? detectType(upload, head) : ''
}

async function* hashing(blocks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const block of blocks) {
    hash.update(block)
    yield block
  }
}
