import type { Readable } from 'node:stream'
import { ageScheme, type UploadOptions } from '@svc/contract'
import { NoSpaceError } from '../data/backend.ts'
import * as refusal from '../domain/errors.ts'
import { parseFileName } from '../domain/file-name.ts'
import type { FileRecord, UploadRecord } from '../domain/records.ts'
import { takeIn } from '../io/intake.ts'
import { planUpload, saveUpload, type NewUpload } from './create-upload.ts'
import { newFile } from './new-file.ts'
import type { Service } from './service.ts'
import { sniffType } from './sniff-type.ts'

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

/**
 * Adds a file to an upload.
 * @throws ServiceError `too_many_files`, and as `receive` does
 */
export async function addFile(
  service: Service,
  upload: UploadRecord,
  incoming: IncomingFile,
): Promise<FileRecord> {
  await checkBeforehand(service, incoming)
  const { store, config } = service
  const file = newFile(service, upload, {
    fileName: nameOf(incoming),
    reference: null,
    fileSize: 0,
    status: 'uploading',
    position: upload.fileCount,
  })
  await store.transaction(async (transaction) => {
    if (!(await transaction.uploads.takePlace(upload.id, config.maxFilePerUpload))) {
      throw refusal.tooManyFiles(config.maxFilePerUpload)
    }
    await transaction.files.insert(file)
  })
  return receive(service, upload, file, incoming)
}

/**
 * Receives a file that was declared when its upload was created; its name stays the declared one.
 * @throws ServiceError `file_not_missing`, and as `receive` does
 */
export async function addDeclaredFile(
  service: Service,
  upload: UploadRecord,
  file: FileRecord,
  incoming: IncomingFile,
): Promise<FileRecord> {
  await checkBeforehand(service, incoming)
  if (!(await service.store.files.receive(file.id, service.instance))) throw refusal.fileNotMissing()
  return receive(service, upload, file, incoming)
}

/**
 * Creates an upload and receives its only file. Where the file fails, no upload stays.
 * @throws ServiceError as `createUpload` and `receive` do
 */
export async function addFileToNewUpload(
  service: Service,
  options: UploadOptions,
  address: string,
  incoming: IncomingFile,
): Promise<NewUpload> {
  const planned = await planUpload(service, options, address)
  await checkBeforehand(service, incoming)
  const upload = { ...planned.upload, fileCount: 1 }
  const file = newFile(service, upload, {
    fileName: nameOf(incoming),
    reference: null,
    fileSize: 0,
    status: 'uploading',
    position: 0,
  })
  await saveUpload(service, upload, [file])
  try {
    const stored = await receive(service, upload, file, incoming)
    return { upload, files: [stored], token: planned.token }
  } catch (error) {
    await service.store.uploads.remove(upload.id, service.clock.now())
    throw error
  }
}

function nameOf({ fileName }: IncomingFile): string {
  const name = parseFileName(fileName, { folders: false })
  if (!name.ok) throw refusal.invalidFileName(name.reason)
  return name.name
}

/** What can be refused before anything is written. */
async function checkBeforehand(service: Service, { expectedSize }: IncomingFile): Promise<void> {
  const { maxFileSize } = service.config
  if (maxFileSize >= 0 && expectedSize > maxFileSize) throw refusal.fileTooBig(maxFileSize)
  await service.freeSpace.require(expectedSize)
}

/**
 * The one way for bytes into the store: counts, limits, hashes and recognises them as they pass, then makes
 * the file visible. On any failure the data is gone and the file removed.
 * @throws ServiceError `file_too_big`, `not_encrypted`, `no_space`, `upload_aborted`
 */
async function receive(
  service: Service,
  upload: UploadRecord,
  file: FileRecord,
  incoming: IncomingFile,
): Promise<FileRecord> {
  const { store, clock, instance } = service
  try {
    const stored = { ...(await storeBytes(service, upload, file.id, incoming)), uploadedAt: clock.now() }
    // A file that was removed meanwhile stays removed.
    if (!(await store.files.store(file.id, instance, stored))) throw refusal.fileNotFound()
    return { ...file, ...stored, status: 'uploaded', instance: null }
  } catch (cause) {
    await giveUp(service, file)
    throw cause instanceof NoSpaceError ? refusal.noSpace(cause) : cause
  }
}

async function storeBytes(service: Service, upload: UploadRecord, key: string, incoming: IncomingFile) {
  const { data, hashers, config } = service
  const intake = takeIn(incoming.bytes, {
    maxSize: config.maxFileSize,
    tooBig: () => refusal.fileTooBig(config.maxFileSize),
    hashers,
    signal: incoming.signal,
  })
  try {
    const type = await recognise(upload, await intake.head)
    await data.add(key, intake.blocks, incoming.signal)
    await incoming.complete()
    const { md5, crc32, size } = await intake.digests()
    return { type, md5, crc32, fileSize: size }
  } catch (error) {
    intake.abandon()
    throw error
  }
}

const ageHeader = 'age-encryption.org/v1\n'

async function recognise(upload: UploadRecord, head: Uint8Array): Promise<string> {
  if (upload.e2ee === ageScheme && Buffer.from(head.subarray(0, ageHeader.length)).toString() !== ageHeader) {
    throw refusal.notEncrypted(upload.e2ee)
  }
  return sniffType(head)
}

/** Undoes a reception that failed. What cannot be undone now (the database is away), cleaning will. */
async function giveUp({ store, data, log }: Service, file: FileRecord): Promise<void> {
  try {
    await data.remove(file.id)
    await store.transaction(async (transaction) => {
      if (await transaction.files.remove(file.id)) await transaction.uploads.givePlace(file.uploadId)
    })
  } catch (error) {
    log.error({ err: error, file: file.id }, 'a failed upload could not be cleaned up yet')
  }
}
