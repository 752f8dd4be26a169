import type { Readable } from 'node:stream'
import { StoreUnavailableError } from '../../data/backend/backend.ts'
import type { Payer } from '../../domain/access/payer.ts'
import * as errors from '../../domain/errors.ts'
import { parseFileName } from '../../domain/files/file-name.ts'
import type { FileRecord, UploadRecord, UserRecord } from '../../domain/records.ts'
import { maxFileSizeOf } from '../../domain/limits/user-limits.ts'
import { receiveBody } from '../../io/receive/receive-body.ts'
import { StoreOutageError } from '../data-store/store-outage.ts'
import {
  inAccountingTransaction,
  accountUploadRemoved,
  countFile,
  accountRemoved,
  accountStored,
  LostRaceError,
} from '../stats/usage-accounting.ts'
import { saveUpload, type NewUpload, type PlannedUpload } from './create-upload.ts'
import type { Space } from '../limits/free-space.ts'
import { newFile } from './new-file.ts'
import { ownerOf } from './upload-owner.ts'
import { reserveQuota, type Reservation } from '../limits/quota.ts'
import { detectType } from './detect-type.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../service.ts'
import { storeErrorResponse } from '../data-store/store-errors.ts'

/** A file on its way in, by whatever door. */
export interface IncomingFile {
  readonly fileName: string
  readonly bytes: Readable
  /** Bytes that are announced for it; 0 when unknown. */
  readonly expectedSize: number
  /** Resolves once the request that carries the file has been read well to its end. */
  readonly complete: () => Promise<void>
  readonly signal: AbortSignal
}

/** A file, and whose budgets count it. */
export type ChargedFile = IncomingFile & { readonly payer: Payer | null }

/**
 * Adds a file to an upload.
 * @throws ServiceError `stream_not_declared`, and as `bookPlace` and `receive` do
 */
export async function addFile(
  service: Service,
  upload: UploadRecord,
  incoming: ChargedFile,
): Promise<FileRecord> {
  if (upload.stream === 1) throw errors.streamNotDeclared()
  const owner = await ownerOf(service, upload)
  const { store, config } = service
  service.budgets.spend(incoming.payer, 'files')
  return withSpace(service, owner, incoming, async (space) => {
    const file = newFile(service, upload, {
      fileName: nameOf(incoming),
      reference: null,
      fileSize: incoming.expectedSize,
      status: 'uploading',
      position: upload.fileCount,
    })
    return service.inFlight.during(file.id, async () => {
      await store.transaction(async (transaction) => {
        await countFile(transaction, upload.id, config.maxFilePerUpload)
        await transaction.files.insert(file)
      })
      return receive(service, { upload, owner, file, space }, incoming)
    })
  })
}

/**
 * Receives a file that was declared when its upload was created; its name stays the declared one.
 * @throws ServiceError `file_not_missing`, and as `receive` does
 */
export async function addDeclaredFile(
  service: Service,
  upload: UploadRecord,
  file: FileRecord,
  incoming: ChargedFile,
): Promise<FileRecord> {
  const owner = await ownerOf(service, upload)
  const { store, instance } = service
  return withSpace(service, owner, incoming, (space) =>
    service.inFlight.during(file.id, async () => {
      if (!(await store.files.receive(file, instance))) throw errors.fileNotMissing()
      return receive(service, { upload, owner, file: { ...file, instance }, space }, incoming)
    }),
  )
}

/**
 * Writes a planned upload and receives its only file. Where the file fails, no upload stays.
 * @throws ServiceError as `saveUpload` and `receive` do
 */
export async function addFileToNewUpload(
  service: Service,
  planned: PlannedUpload,
  owner: UserRecord | null,
  incoming: ChargedFile,
): Promise<NewUpload> {
  service.budgets.spend(incoming.payer, 'files')
  return withSpace(service, owner, incoming, (space) => {
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
        service.dailyCounters.uploadCreated(upload)
        return { upload, files: [stored], token: planned.token }
      } catch (error) {
        await inAccountingTransaction(service.store, (books) =>
          accountUploadRemoved(books, upload, service.clock.now()),
        )
        throw error
      }
    })
  })
}

/** The name that a file brings along. @throws ServiceError `invalid_file_name` */
export function nameOf({ fileName }: Pick<IncomingFile, 'fileName'>): string {
  const name = parseFileName(fileName, { folders: false })
  if (!name.ok) throw errors.invalidFileName(name.reason)
  return name.name
}

/** Receives a file for which space is kept free, after what can be refused before anything is written. */
async function withSpace<Result>(
  service: Pick<Service, 'budgets' | 'config' | 'freeSpace' | 'rowSpace'>,
  owner: UserRecord | null,
  { expectedSize, payer }: ChargedFile,
  work: (space: Space) => Promise<Result>,
): Promise<Result> {
  const maxFileSize = maxFileSizeOf(owner, service.config)
  if (maxFileSize >= 0 && expectedSize > maxFileSize) throw errors.fileTooBig(maxFileSize)
  await service.rowSpace.require()
  const space = await service.freeSpace.announce(expectedSize)
  try {
    const paid = service.budgets.receive(payer, expectedSize)
    try {
      return await work({ ...space, guard: (chunks) => space.guard(paid.cover(chunks)) })
    } finally {
      paid.end()
    }
  } finally {
    space.end()
  }
}

/** A file whose bytes are about to come. */
interface Reception {
  readonly upload: UploadRecord
  readonly owner: UserRecord | null
  readonly file: FileRecord
  readonly space: Space
}

/**
 * The one way for bytes into the store: counts, limits, hashes and recognises them as they pass, then makes
 * the file visible. On any failure the data is gone and the file removed.
 * @throws ServiceError `file_too_big`, `quota_reached`, `not_encrypted`, `no_space`, `upload_aborted`,
 * `unavailable`, `file_not_found` when it was removed meanwhile
 */
async function receive(
  service: Base & Metadata & Operations & Transfers,
  reception: Reception,
  incoming: IncomingFile,
): Promise<FileRecord> {
  const { store, clock } = service
  const { upload, owner, file } = reception
  try {
    const quota = await reserveQuota(service, owner, file, incoming.expectedSize)
    const stored = { ...(await storeBytes(service, reception, incoming, quota)), uploadedAt: clock.now() }
    const reserved = quota.reserved()
    // A file that was removed meanwhile stays removed.
    if (
      !(await inAccountingTransaction(store, (books) =>
        accountStored(books, upload, { ...file, reserved }, stored),
      ))
    )
      throw errors.fileNotFound()
    service.dailyCounters.fileArrived(stored.fileSize)
    return { ...file, ...stored, status: 'uploaded', instance: null }
  } catch (cause) {
    const wasThere = await giveUp(service, upload, file, cause)
    // A cleaning that took this process for dead removed the bytes under it.
    if (cause instanceof LostRaceError || !wasThere) throw errors.fileNotFound(cause)
    throw storeErrorResponse(cause)
  }
}

async function storeBytes(
  service: Pick<Service, 'config' | 'data' | 'hashers' | 'storeOutage'>,
  { upload, owner, file, space }: Reception,
  incoming: IncomingFile,
  quota: Reservation,
) {
  const { data, hashers, config, storeOutage: awayStore } = service
  const maxSize = maxFileSizeOf(owner, config)
  const intake = receiveBody(incoming.bytes, {
    maxSize,
    tooBig: () => errors.fileTooBig(maxSize),
    hashers,
    signal: incoming.signal,
  })
  try {
    const type = await detectType(upload, await intake.head)
    await awayStore.during(incoming.expectedSize, incoming.signal, (signal) =>
      data.add(file.id, space.guard(quota.cover(intake.blocks)), signal),
    )
    await incoming.complete()
    const { md5, crc32, size } = await intake.digests()
    return { type, md5, crc32, fileSize: size }
  } catch (error) {
    intake.abandon()
    throw error
  }
}

/**
 * Undoes a reception that failed. What cannot be undone now (the store or the database is away), cleaning will. The
 * data goes last: a database that could not say so may have kept the file as whole.
 * @returns false when somebody else had removed the file
 */
async function giveUp(
  { store, data, log, inFlight: receptions }: Pick<Service, 'data' | 'inFlight' | 'log' | 'store'>,
  upload: UploadRecord,
  file: FileRecord,
  cause: unknown,
): Promise<boolean> {
  try {
    const wasThere = await inAccountingTransaction(store, (books) => accountRemoved(books, upload, file.id))
    // Whoever waits for the answer does not wait for a store that is away once more.
    if (!(cause instanceof StoreUnavailableError)) await removeBytes({ data, log }, file)
    const letGo = () => store.files.letGo(file)
    if (!(cause instanceof StoreOutageError)) await letGo()
    // What may still reach the store is not cleaned before it does. Where that fails, the end of this process does the same.
    else void receptions.during(file.id, () => cause.settled.then(letGo)).catch(() => undefined)
    return wasThere
  } catch (error) {
    log.error({ err: error, file: file.id }, 'a failed upload could not be cleaned up yet')
    return true
  }
}

async function removeBytes({ data, log }: Pick<Service, 'data' | 'log'>, { id }: FileRecord): Promise<void> {
  try {
    await data.remove(id)
  } catch (error) {
    log.warn({ err: error, file: id }, 'the data of a failed upload could not be removed yet')
  }
}
