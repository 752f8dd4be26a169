import type { Readable } from 'node:stream'
import type { BudgetKey } from '../../../domain/access/budget-key.ts'
import * as errors from '../../../domain/errors.ts'
import { fileNotFound } from '../../../domain/not-found-errors.ts'
import { parseFileName } from '../../../domain/files/file-name.ts'
import type { FileRecord, UploadRecord, UserRecord } from '../../../domain/records.ts'
import { receiveBody } from '../../../io/receive/receive-body.ts'
import {
  inAccountingTransaction,
  recordUploadRemoved,
  countFile,
  recordRemoved,
  recordStored,
  LostRaceError,
} from '../../stats/usage-accounting.ts'
import { saveUpload, type NewUpload, type PlannedUpload } from '../create-upload.ts'
import type { Space } from '../../space/free-space.ts'
import { newFile } from '../new-file.ts'
import { ownerOf } from '../upload-owner.ts'
import { reserveQuota, type Reservation } from '../../limits/quota.ts'
import { maxFileSizeOf, requireFileSize } from '../../limits/file-size.ts'
import { reserveFile, reserveReplacement } from '../../limits/request-limits.ts'
import { startDeclared, withFreedPlaces } from '../../limits/request-places.ts'
import { detectType } from '../media-type/detect-type.ts'
import { undoUpload } from './undo-upload.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../../service.ts'
import { translateDataStoreError } from '../../data-store/translate-error.ts'

/** A file that a request carries. */
export interface IncomingFile {
  readonly fileName: string
  readonly bytes: Readable
  /** The announced minimum of bytes; 0 when unknown. */
  readonly expectedSize: number
  /** The announced length of the whole request in bytes, which the file does not exceed; null when unknown. */
  readonly requestLength: number | null
  /** Resolves when the request has been read to its end without an error. */
  readonly complete: () => Promise<void>
  readonly signal: AbortSignal
}

/** A file with its budget key. */
export type ChargedFile = IncomingFile & { readonly budgetKey: BudgetKey | null }

/**
 * Adds a file to an upload.
 * @throws ServiceError `stream_not_declared`, and the errors of `countFile`, `reserveFile` and `receive`
 */
export function addFile(service: Service, upload: UploadRecord, incoming: ChargedFile): Promise<FileRecord> {
  service.budgets.spend(incoming.budgetKey, 'files')
  return addNamed(service, upload, { ...incoming, fileName: nameOf(incoming) })
}

/** What a file that is assembled from partial uploads has besides its bytes. */
export interface Assembly {
  readonly reference: string | null
  /** The partial uploads, which the file replaces: it takes over their quota. */
  readonly parts: readonly Pick<FileRecord, 'id'>[]
}

/**
 * Adds a file to an upload, and removes the partial uploads that it replaces at the same moment.
 * @param incoming its name is valid
 * @throws as `addFile` does
 */
export async function addNamed(
  service: Service,
  upload: UploadRecord,
  incoming: ChargedFile,
  { reference, parts }: Assembly = { reference: null, parts: [] },
): Promise<FileRecord> {
  if (upload.stream === 1) throw errors.streamNotDeclared()
  const owner = await ownerOf(service, upload)
  const { store, config, clock } = service
  return withSpace(service, { upload, owner }, incoming, async (space) => {
    const file = newFile(service, upload, {
      fileName: incoming.fileName,
      reference,
      fileSize: incoming.expectedSize,
      status: 'uploading',
      // Set when the row is written: files may be added at the same time.
      position: 0,
    })
    return service.inFlight.during(file.id, async () => {
      await withFreedPlaces(service, upload, () =>
        store.transaction(async (transaction) => {
          await countFile(transaction, upload.id, config.maxFilePerUpload)
          if (parts.length > 0) await reserveReplacement(transaction, upload, file.fileName)
          else await reserveFile(transaction, upload, file.fileName, clock.now())
          const position = await transaction.files.nextPosition(upload.id)
          await transaction.files.insert({ ...file, position })
        }),
      )
      return receive(service, { upload, owner, file, space, parts }, incoming)
    })
  })
}

/**
 * Receives a file that was declared when its upload was created. The file keeps its declared name.
 * @throws ServiceError `file_not_missing`, and the errors of `receive`
 */
export async function addDeclaredFile(
  service: Service,
  upload: UploadRecord,
  file: FileRecord,
  incoming: ChargedFile,
): Promise<FileRecord> {
  const owner = await ownerOf(service, upload)
  const { instance } = service
  return withSpace(service, { upload, owner }, incoming, (space) =>
    service.inFlight.during(file.id, async () => {
      await startDeclared(service, upload, ({ files }) => files.startUpload(file, instance))
      return receive(service, { upload, owner, file: { ...file, instance }, space }, incoming)
    }),
  )
}

/**
 * Writes a planned upload and receives its only file. After a failure the upload is removed.
 * @throws the errors of `saveUpload` and `receive`
 */
export async function addFileToNewUpload(
  service: Service,
  planned: PlannedUpload,
  owner: UserRecord | null,
  incoming: ChargedFile,
): Promise<NewUpload> {
  service.budgets.spend(incoming.budgetKey, 'files')
  return withSpace(service, { upload: planned.upload, owner }, incoming, (space) => {
    const upload = { ...planned.upload, fileCount: 1 }
    const file = newFile(service, upload, {
      fileName: nameOf(incoming),
      reference: null,
      fileSize: incoming.expectedSize,
      status: 'uploading',
      position: 0,
    })
    return service.inFlight.during(file.id, async () => {
      await saveUpload(service, upload, [file])
      try {
        const stored = await receive(service, { upload, owner, file, space }, incoming)
        service.dailyStats.uploadCreated(upload)
        return { upload, files: [stored], token: planned.token }
      } catch (error) {
        // The client learns why its file failed, even if the database is unavailable now.
        await inAccountingTransaction(service.store, (transaction) =>
          recordUploadRemoved(transaction, upload, service.clock.now()),
        ).catch((reason: unknown) => {
          service.log.error({ err: reason, upload: upload.id }, 'a failed upload could not be removed yet')
        })
        throw error
      }
    })
  })
}

/**
 * The validated name of a file.
 * @throws ServiceError `invalid_file_name`
 */
export function nameOf({ fileName }: Pick<IncomingFile, 'fileName'>): string {
  const name = parseFileName(fileName, { folders: false })
  if (!name.ok) throw errors.invalidFileName(name.reason)
  return name.name
}

/** Reserves space and budget for a file while it arrives. Checks that need no write come first. */
async function withSpace<Result>(
  service: Pick<Service, 'budgets' | 'config' | 'freeSpace' | 'rowSpace'>,
  { upload, owner }: Pick<FileInFlight, 'upload' | 'owner'>,
  { expectedSize, budgetKey }: ChargedFile,
  work: (space: Space) => Promise<Result>,
): Promise<Result> {
  requireFileSize(service, owner, upload, expectedSize)
  await service.rowSpace.require()
  const space = await service.freeSpace.announce(budgetKey, expectedSize)
  try {
    const charged = service.budgets.receive(budgetKey, expectedSize)
    try {
      return await work({ ...space, guard: (chunks) => space.guard(charged.cover(chunks)) })
    } finally {
      charged.end()
    }
  } finally {
    space.end()
  }
}

/** A file whose bytes are about to arrive. */
interface FileInFlight {
  readonly upload: UploadRecord
  readonly owner: UserRecord | null
  readonly file: FileRecord
  readonly space: Space
  /** The partial uploads that the file replaces. */
  readonly parts?: Assembly['parts']
}

/**
 * Stores the bytes of a file: counts, limits, hashes and detects their type as they pass, then makes the file
 * visible. Every upload in one request uses it. On any failure the data and the file are removed.
 * @throws ServiceError `file_too_big`, `quota_reached`, `request_full`, `not_encrypted`, `no_space`, `upload_aborted`,
 * `unavailable`, `file_not_found` when the file was removed in the meantime
 */
async function receive(
  service: Base & Metadata & Operations & Transfers,
  fileInFlight: FileInFlight,
  incoming: ChargedFile,
): Promise<FileRecord> {
  const { store, clock } = service
  const { upload, owner, file, parts = [] } = fileInFlight
  try {
    const quota =
      parts.length > 0 ? ofParts : await reserveQuota(service, { owner, upload }, file, incoming.expectedSize)
    const stored = { ...(await storeBytes(service, fileInFlight, incoming, quota)), uploadedAt: clock.now() }
    const reserved = quota.reserved()
    // A file that was removed in the meantime stays removed.
    if (
      !(await inAccountingTransaction(store, async (transaction) => {
        await recordStored(transaction, upload, { ...file, reserved }, stored)
        for (const { id } of parts) await recordRemoved(transaction, upload, id)
      }))
    )
      throw fileNotFound()
    service.dailyStats.fileArrived(stored.fileSize)
    service.arrivals.record(upload)
    return { ...file, ...stored, status: 'uploaded', instance: null }
  } catch (cause) {
    const removedHere = await undoUpload(service, upload, file, cause)
    // A cleanup that considered this instance dead has removed the bytes.
    if (cause instanceof LostRaceError || !removedHere) throw fileNotFound(cause)
    throw translateDataStoreError(cause)
  }
}

/** The bytes of a file that replaces partial uploads are reserved for these, until it is stored. */
const ofParts: Reservation = { reserved: () => 0, cover: (chunks) => chunks }

async function storeBytes(
  service: Pick<Service, 'config' | 'data' | 'hashers' | 'dataStoreOutage'>,
  { upload, owner, file, space }: FileInFlight,
  incoming: ChargedFile,
  quota: Reservation,
) {
  const { data, hashers, dataStoreOutage } = service
  const maxSize = maxFileSizeOf(service, owner, upload)
  const body = receiveBody(incoming.bytes, {
    maxSize,
    tooBig: () => errors.fileTooBig(maxSize),
    hashers,
    signal: incoming.signal,
  })
  try {
    const type = await detectType(upload, await body.head)
    await dataStoreOutage.during(incoming.requestLength, incoming.signal, (signal) =>
      data.add(file.id, space.guard(quota.cover(body.blocks)), signal, incoming.budgetKey),
    )
    await incoming.complete()
    const { md5, crc32, size } = await body.digests()
    return { type, md5, crc32, fileSize: size }
  } catch (error) {
    body.cancel()
    throw error
  }
}
